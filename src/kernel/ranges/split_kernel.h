// A kernel in ranges: the same kernel with one more integer, the number of a range, of which it
// computes only that range's share of the iterations. What a range writes is its own, so that
// ranges may run in any order and at the same time; prove_ranges.h says whether that holds.
//
//   loop %i = 0 to 64 step 8 { ... }     becomes, for two ranges,
//   loop %i = 32*%range to 32*%range + 32 step 8 { ... }
#pragma once
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace hlocc::kernel {

// A region of a kernel whose loops may be split: which op leads on inwards, from the body. Empty:
// the body itself.
using SplitSite = std::vector<int>;

// Outermost first. A region is one if it holds a loop of two or more iterations, known and without
// carried values, that writes an operand.
std::vector<SplitSite> split_sites(const Kernel& kernel);

struct SplitKernel {
  // parameters[0] is the number of the range. Scratch in the arena is there once for each.
  Kernel kernel;
  int ranges = 1;
  // Counters of the loops that were split; conditions of the branches that only range 0 takes.
  std::vector<ValueId> counters;
  ValueId first = kNone;  // pred: true in range 0
  // Every split loop has lowering's word on its scratch (Loop::own_scratch).
  bool own_scratch = true;
  // By buffer: elements from a range's scratch to the next one's; 0 where all share the buffer.
  std::vector<int64_t> slots;
};

// Splits the loops of the region that write operands. What else writes operands there is left to
// range 0, and what writes none is done by each range for itself. None where a value would be
// missing: a result of what only range 0 does.
std::optional<SplitKernel> split_kernel(const Kernel& kernel, const SplitSite& site, int ranges);

}  // namespace hlocc::kernel
