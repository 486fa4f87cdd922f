// See mapped.h.
#include "kernel/mapped.h"

#include <algorithm>

#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

bool is_mapped_loop(const Op& op) {
  const auto* const loop = std::get_if<Loop>(&op.payload);
  return loop != nullptr && loop->is_mapped();
}
bool is_control(const Op& op) { return op_group(op.kind) == OpGroup::kControl; }

Diagnostic broken(const Kernel& kernel, std::string_view what) {
  return error(DiagnosticKind::kInternal, cat("kernel ", kernel.name, ": ", what));
}

class MappingVerifier {
 public:
  explicit MappingVerifier(const Kernel& kernel)
      : kernel_(kernel), same_(kernel.types.size(), false) {
    for (const ValueId parameter : kernel.parameters) same_[parameter] = true;
  }

  Status run() {
    HLOCC_TRY(outside(kernel_.body));
    for (const Buffer& b : kernel_.buffers) {
      if (b.space == Space::kShared && group_ == 0)
        return broken(kernel_, cat("shared ", b.name, " without a loop over the group"));
      const bool placed = b.direction == Direction::kScratch && b.space == Space::kArena;
      if (placed && grid_ + group_ > 0)
        return broken(kernel_, cat("scratch ", b.name, " of the arena, which all threads share"));
    }
    return {};
  }

 private:
  // Where the next mapped loop may stand: in the body, or alone in another one.
  Status outside(const Region& region) {
    const auto mapped = std::ranges::count_if(region.ops, is_mapped_loop);
    if (mapped == 0) return thread(region, true);
    if (mapped > 1) return broken(kernel_, "two mapped loops side by side");
    for (const Op& op : region.ops) {
      if (is_mapped_loop(op)) {
        HLOCC_TRY(mapped_loop(op));
      } else if (is_control(op) || op_group(op.kind) == OpGroup::kMemory) {
        return broken(kernel_, cat(op_name(op.kind), " beside a mapped loop"));
      } else {
        note(op);
      }
    }
    return {};
  }

  Status mapped_loop(const Op& op) {
    const Loop& loop = op.loop();
    const bool of_grid = loop.mapping == Mapping::kGrid;
    if (!op.operands.empty()) return broken(kernel_, "a mapped loop that carries values");
    if (!loop.lower.is_constant() || !loop.upper.is_constant())
      return broken(kernel_, "a mapped loop whose bounds are no numbers");
    if (iterations_of(loop) < 1) return broken(kernel_, "a mapped loop that never runs");
    if (of_grid && group_ > 0)
      return broken(kernel_, "a loop over the grid inside of one over the group");
    size_t& depth = of_grid ? grid_ : group_;
    if (++depth > kMostMappedLoops)
      return broken(kernel_, cat("more than three loops over the ", mapping_name(loop.mapping)));
    same_[op.regions[0].arguments[0]] = of_grid;
    return outside(op.regions[0]);
  }

  // `together`: all threads of a group come here, as often and in one order.
  Status thread(const Region& region, bool together) {
    for (const Op& op : region.ops) {
      if (is_mapped_loop(op))
        return broken(kernel_, "a mapped loop inside of a loop or a branch of a thread");
      if (op.kind == OpKind::kBarrier && group_ == 0)
        return broken(kernel_, "a barrier without a loop over the group");
      if (op.kind == OpKind::kBarrier && !together)
        return broken(kernel_, "a barrier where not all threads of the group need come");
      bool inside = together && op.kind != OpKind::kWhile;
      if (op.kind == OpKind::kIf) inside &= same_[op.operands[0]];
      if (op.kind == OpKind::kLoop) {
        inside &= is_same(op.loop().lower) && is_same(op.loop().upper);
        same_[op.regions[0].arguments[0]] = inside;
      }
      for (const Region& inner : op.regions) HLOCC_TRY(thread(inner, inside));
      note(op);
    }
    return {};
  }

  bool is_same(const Affine& affine) const {
    return std::ranges::all_of(affine.terms,
                               [&](const Affine::Term& term) { return same_[term.value]; });
  }
  // What is calculated of values that all threads of a group have alike.
  void note(const Op& op) {
    if (is_control(op) || op_group(op.kind) == OpGroup::kMemory) return;
    const bool same = std::ranges::all_of(op.operands, [&](ValueId value) { return same_[value]; });
    for (const ValueId result : op.results) same_[result] = same;
  }

  const Kernel& kernel_;
  std::vector<bool> same_;  // by value: of all threads of a group
  size_t grid_ = 0, group_ = 0;
};

}  // namespace

int64_t iterations_of(const Loop& loop) {
  return std::max<int64_t>(0, ceil_div(loop.upper.offset - loop.lower.offset, loop.step));
}

std::optional<MappedLoops> mapped_loops(const Kernel& kernel) {
  MappedLoops found;
  for (const Region* region = &kernel.body; region != nullptr;) {
    const auto next = std::ranges::find_if(region->ops, is_mapped_loop);
    if (next == region->ops.end()) break;
    const bool of_grid = next->loop().mapping == Mapping::kGrid;
    (of_grid ? found.grid : found.group).push_back(&*next);
    (of_grid ? found.groups : found.threads) *= iterations_of(next->loop());
    region = &next->regions[0];
  }
  if (found.grid.empty() && found.group.empty()) return std::nullopt;
  return found;
}

std::vector<int64_t> counters_at(std::span<const Op* const> loops, int64_t number) {
  std::vector<int64_t> counters(loops.size());
  for (size_t i = loops.size(); i-- > 0;) {
    const Loop& loop = loops[i]->loop();
    const int64_t iterations = iterations_of(loop);
    counters[i] = loop.lower.offset + number % iterations * loop.step;
    number /= iterations;
  }
  return counters;
}

int64_t shared_bytes(const Kernel& kernel) {
  int64_t bytes = 0;
  for (const Buffer& b : kernel.buffers)
    if (b.space == Space::kShared) bytes += b.elements * std::max(4, scalar_bytes(b.element));
  return bytes;
}

Status verify_mapping(const Kernel& kernel) { return MappingVerifier(kernel).run(); }

Status verify_mapping_on(const Kernel& kernel, const Target& target) {
  const std::optional<MappedLoops> loops = mapped_loops(kernel);
  if (!loops) return {};
  if (target.style != KernelStyle::kSimt)
    return broken(kernel, cat("a mapped loop, and ", target.name, " has no groups of threads"));
  const SimtFacts& most = target.simt;
  const auto within = [&](int64_t has, std::string_view what, int64_t allowed) -> Status {
    if (has <= allowed) return {};
    return broken(kernel, cat(has, " ", what, ", and ", target.name, " has ", allowed));
  };
  HLOCC_TRY(within(loops->threads, "threads of a group", most.threads));
  HLOCC_TRY(within(loops->groups, "groups", most.groups));
  return within(shared_bytes(kernel), "bytes of shared memory", most.shared_bytes);
}

}  // namespace hlocc::kernel
