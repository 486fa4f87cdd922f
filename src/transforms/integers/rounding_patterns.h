// How quantised networks spell rounding in integers, of several instructions each: what they do to
// one value is one step.
#pragma once
#include "transforms/integers/quantized_step.h"

namespace hlocc::transforms {

// What a sum or a difference is; none if it is neither of these, which are tried in this order.
// kNudge: value + (value < 0 ? to : by), no `to` above `by` of its channel: before a division that
// rounds to zero, or a shift, it rounds to nearest. However the sum is spelled: a selection by
// sign, the sign's bits shifted down, a comparison as a number.
// kRoundingShift: value / 2^by, to nearest, halves away from zero: (value >> by) + 1 where the bits
// shifted out are more than half, which is one more for what is negative.
std::optional<QuantizedStep> rounding_pattern(const Rewriter& r, const Instruction& sum);

}  // namespace hlocc::transforms
