// How quantised networks spell rounding in integers, of several instructions each: what they do to
// one value is one step of a chain.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// value + (value < 0 ? if_negative : number), numbers that are the same in every place, the first
// not above the second: before a division that rounds to zero, it rounds to nearest.
struct Nudge {
  InstructionId value;
  int64_t number, if_negative;
};
std::optional<Nudge> nudged(const Rewriter& r, const Instruction& sum);

// value / 2^by, to nearest, halves away from zero: (value >> by) + 1 where the bits shifted out are
// more than half, which is one more for what is negative. `by` is a constant that may be broadcast.
struct NearestShift {
  InstructionId value, by;
};
std::optional<NearestShift> nearest_shift(const Rewriter& r, const Instruction& sum);

}  // namespace hlocc::transforms
