// See ties.h.
#include "transforms/integers/ties.h"

#include "transforms/build.h"

namespace hlocc::transforms {

InstructionId rounded_shift(Rewriter& r, InstructionId sum, int shift, Ties ties) {
  if (shift == 0) return sum;
  const Dimensions dimensions = r.shape(sum).dimensions;
  const auto every = [&](int64_t value) {
    return splat(r, Literal::scalar(PrimitiveType::kS32, static_cast<int32_t>(value)), dimensions);
  };
  const auto shifted = [&](InstructionId x) {
    return binary(r, Opcode::kShiftRightArithmetic, x, every(shift));
  };
  if (ties != Ties::kByOffset) {
    const bool to_even = ties == Ties::kToEven;
    const InstructionId odd = binary(r, Opcode::kAnd, shifted(sum), every(1)),
                        half = every((int64_t{1} << (shift - 1)) - (to_even ? 1 : 0));
    sum = binary(r, to_even ? Opcode::kAdd : Opcode::kSubtract, binary(r, Opcode::kAdd, sum, half),
                 odd);
  }
  return shifted(sum);
}

}  // namespace hlocc::transforms
