// The figures of programs of kernels and of their plans: what a kernel's code is made of, what its
// launches do and cost, the labels of what lowering chose, and the bytes that a plan takes.
#pragma once
#include "costs/kernel_work.h"
#include "kernel/program.h"
#include "support/figures.h"
#include "support/text.h"

namespace hlocc::tests {

inline void add_ops(Figures& figures, const kernel::Region& region) {
  using enum kernel::OpKind;
  for (const kernel::Op& op : region.ops) {
    figures.add("ops", 1);
    figures.add("loops", op.kind == kLoop || op.kind == kWhile);
    figures.add("kept loops", op.kind == kLoop && op.loop().kept);
    figures.add("branches", op.kind == kIf);
    figures.add("loads", op.kind == kLoad);
    figures.add("stores", op.kind == kStore);
    figures.add("converts", op.kind == kConvert || op.kind == kNativeConvert);
    figures.add("shuffles", op.kind == kShuffle);
    figures.add("selects", op.kind == kSelect);
    figures.add("divides", op.kind == kDiv || op.kind == kRem || op.kind == kNativeDiv ||
                               op.kind == kNativeRem);
    for (const kernel::Region& inner : op.regions) add_ops(figures, inner);
  }
}

// "packed, dot_accumulate_2 4x2x4".
inline std::string label_of(const kernel::Choice& choice) {
  const std::string way = choice.to_string(), tile = choice.tile.to_string();
  return cat(way.empty() ? "moves" : way, tile.empty() ? "" : " ", tile);
}

// What a launch says beside its operands.
inline void add_launch(Figures& figures, const kernel::Program& program,
                       const kernel::Launch& launch, const Target& target) {
  const kernel::Kernel& kernel = program.kernels[static_cast<size_t>(launch.kernel)];
  const costs::KernelWork work = costs::launch_work(kernel, launch, target);
  figures.add("launches", 1);
  figures.add("ranges", launch.ranges);
  figures.add("in place", static_cast<int64_t>(launch.overlaps.size()));
  figures.add("updates", static_cast<int64_t>(launch.updates.size()));
  for (const kernel::Buffer& buffer : kernel::arena_scratch(kernel, launch))
    figures.add("scratch", buffer.elements * kernel::scalar_bytes(buffer.element));
  figures.add_cost("products", work.products);
  figures.add_cost("read", work.bytes_read);
  figures.add_cost("written", work.bytes_written);
  figures.add_cost("cycles", work.cycles);
}

inline Figures figures_of(const kernel::Program& program, const Target& target) {
  Figures figures;
  figures.add("programs", 1);
  figures.add("kernels", static_cast<int64_t>(program.kernels.size()));
  for (const kernel::Kernel& kernel : program.kernels) {
    add_ops(figures, kernel.body);
    figures.count(label_of(kernel.choice));
  }
  for (const kernel::ProgramValue& value : program.values)
    figures.add(value.role == kernel::ValueRole::kConstant ? "constants" : "values", value.bytes());
  kernel::for_each_step(program.steps, [&](const kernel::Step& step) {
    figures.add("steps", 1);
    if (const auto* launch = std::get_if<kernel::Launch>(&step.what))
      add_launch(figures, program, *launch, target);
  });
  return figures;
}

// The line of one program; what can't be lowered is refused with the same words.
inline void add_lowered(const std::string& file, const std::string& line,
                        const Result<kernel::Program>& made, const Target& target) {
  Figures figures;
  if (made)
    figures = figures_of(*made, target);
  else
    figures.count(cat("refused: ", made.error().message));
  add_figures(file, line, figures);
}

}  // namespace hlocc::tests
