// Groups kernels by skeleton, in the order of the program, so that the outcome hangs on nothing
// but the code.
#include "kernel/share/share_kernels.h"

#include <algorithm>
#include <limits>
#include <map>

#include "kernel/share/shared_kernel.h"

namespace hlocc::kernel {
namespace {

int64_t count_ops(const Region& region) {
  int64_t count = 0;
  for (const Op& op : region.ops) {
    count += op.kind == OpKind::kConstant ? 0 : 1;
    for (const Region& inner : op.regions) count += count_ops(inner);
  }
  return count;
}

// So many sums of integers leave no register for what comes at run time: operands of a step,
// addresses and the counter want the others.
int crowding_sums(const Target& target) {
  constexpr int kForOthers = 14, kFewest = 2;
  if (target.options.for_size()) return std::numeric_limits<int>::max();
  return std::max(kFewest, target.scalar_registers - kForOthers);
}

// In bytes, by rule of thumb: an op is four, to hand over an integer six and to take it four.
bool pays(const std::vector<const Skeleton*>& alike, const Relations& relations) {
  const int64_t kernels = static_cast<int64_t>(alike.size());
  const int64_t integers = static_cast<int64_t>(relations.parameters.size());
  const int64_t saved = (kernels - 1) * (16 + 4 * count_ops(alike[0]->kernel.body));
  return saved > integers * (6 * kernels + 4);
}

// What becomes of a kernel: its place among the new ones, and the integers that it adds to its
// launches.
struct Fate {
  KernelId kernel = kNone;
  std::vector<int64_t> integers, scratch;
};

class Sharing {
 public:
  Sharing(Program& program, const Target& target)
      : program_(program), few_registers_(target.scalar_registers <= kFewRegisters) {
    for (const Kernel& kernel : program.kernels)
      skeletons_.push_back(skeleton_of(kernel, target.pointer_bits, crowding_sums(target)));
    fates_.resize(program.kernels.size());
  }

  void run() {
    std::map<std::string_view, std::vector<KernelId>> groups;
    for (size_t i = 0; i < skeletons_.size(); ++i)
      groups[skeletons_[i].key].push_back(static_cast<KernelId>(i));
    for (size_t i = 0; i < skeletons_.size(); ++i) {
      if (fates_[i].kernel != kNone) continue;
      const std::vector<KernelId>& group = groups[skeletons_[i].key];
      if (share(group)) continue;
      for (const KernelId id : group) keep(id);
    }
    program_.kernels = std::move(kept_);
    for_each_launch(program_.steps, [&](Launch& launch) {
      const Fate& fate = fates_[launch.kernel];
      launch.kernel = fate.kernel;
      for (const int64_t integer : fate.integers) launch.integers.push_back(integer);
      launch.scratch = fate.scratch;
    });
  }

 private:
  void keep(KernelId id) {
    fates_[id].kernel = static_cast<KernelId>(kept_.size());
    kept_.push_back(std::move(program_.kernels[id]));
  }

  bool share(const std::vector<KernelId>& group) {
    if (group.size() < 2) return false;
    // Even what is handed over outside of such loops waits in registers there.
    if (few_registers_ && skeletons_[group[0]].crowded) return false;
    std::vector<const Skeleton*> alike;
    std::vector<const std::vector<int64_t>*> integers;
    for (const KernelId id : group) {
      alike.push_back(&skeletons_[id]);
      integers.push_back(&skeletons_[id].integers);
    }
    const Relations relations = relate(integers, alike[0]->uses);
    if (!pays(alike, relations)) return false;
    for (size_t n = 0; n < group.size(); ++n) {
      Fate& fate = fates_[group[n]];
      fate.kernel = static_cast<KernelId>(kept_.size());
      for (const std::vector<int64_t>& parameter : relations.parameters)
        fate.integers.push_back(parameter[n]);
      for (const Buffer& scratch : arena_scratch(program_.kernels[group[n]], {}))
        fate.scratch.push_back(scratch.elements);
    }
    kept_.push_back(make_shared_kernel(alike, relations));
    return true;
  }

  static constexpr int kFewRegisters = 16;

  Program& program_;
  const bool few_registers_;
  std::vector<Skeleton> skeletons_;
  std::vector<Fate> fates_;
  std::vector<Kernel> kept_;
};

}  // namespace

bool shares_kernels(const Target& target) {
  return target.flash_constrained && target.style != KernelStyle::kSimt &&
         target.options.level != Level::kO3;
}

void share_kernels(Program& program, const Target& target) {
  if (shares_kernels(target)) Sharing(program, target).run();
}

}  // namespace hlocc::kernel
