// The greatest or least of many f32 as unsigned integers. Where a maximum that heeds NaN and the
// sign of zero takes many instructions, each number becomes an integer that stands in the same
// order (three instructions), with NaNs at the end that wins; the winner becomes a number again at
// the end.
#pragma once
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

class OrderedBits {
 public:
  // For a reducer that is a plain maximum or minimum of f32, on targets where it pays.
  static std::optional<OrderedBits> of(const Emitter& emitter, const hlo::Computation& reducer,
                                       int lanes);

  kernel::ValueId encode(kernel::Builder& b, kernel::ValueId number) const;
  kernel::ValueId decode(kernel::Builder& b, kernel::ValueId bits) const;
  kernel::ValueId combine(kernel::Builder& b, kernel::ValueId x, kernel::ValueId y) const {
    return greatest_ ? b.max(x, y) : b.min(x, y);
  }

 private:
  // What comes first in the order of the integers: for the greatest -inf, for the least the first
  // positive NaN.
  int64_t first() const { return greatest_ ? 0x807FFFFF : 0x7F800001; }

  bool greatest_ = true;
};

}  // namespace hlocc::lowering
