// How quantised networks spell rounding in integers, of several instructions each: what they do to
// one value is one step of a chain.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Signed constants that are the same in every place (one value), or differ along the dimensions of
// `mapping`, whose sizes are `sizes`.
struct ChannelConstants {
  std::vector<int64_t> values;
  Dimensions mapping, sizes;

  bool is_one() const { return values.size() == 1; }
  int64_t at(size_t place) const { return values[is_one() ? 0 : place]; }
  bool fits(const ChannelConstants& other) const {
    return is_one() || other.is_one() || (mapping == other.mapping && sizes == other.sizes);
  }
};

// value + (value < 0 ? if_negative : number), no number below that of its channel if negative:
// before a division that rounds to zero, or a shift, it rounds to nearest. However the sum is
// spelled: a selection by sign, the sign's bits shifted down, a comparison as a number.
struct Nudge {
  InstructionId value;
  ChannelConstants number, if_negative;
};
std::optional<Nudge> nudged(const Rewriter& r, const Instruction& sum);

// value / 2^by, to nearest, halves away from zero: (value >> by) + 1 where the bits shifted out are
// more than half, which is one more for what is negative. `by` is a constant that may be broadcast.
struct NearestShift {
  InstructionId value, by;
};
std::optional<NearestShift> nearest_shift(const Rewriter& r, const Instruction& sum);

}  // namespace hlocc::transforms
