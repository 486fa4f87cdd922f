// A kernel without its arithmetic: the loops and the accesses of some of its buffers, at the same
// addresses and in the same order, whatever the data. Stores write zeros.
#pragma once
#include <functional>
#include <optional>

#include "kernel/kernel.h"

namespace hlocc::kernel {

struct SkeletonQuestions {
  std::function<bool(BufferId)> reads, writes;  // whether loads, or stores, of a buffer are kept
  // What is put at the begin of each iteration of a loop, and behind the loop: by its counter. The
  // same for the first branch of an `if`, by its condition.
  std::function<std::optional<Op>(ValueId)> enter, leave;
};

// None where an access that is kept hangs on data: an address, a mask, a bound or a condition that
// comes from a load or out of a loop.
std::optional<Kernel> access_skeleton(const Kernel& kernel, const SkeletonQuestions& questions);

}  // namespace hlocc::kernel
