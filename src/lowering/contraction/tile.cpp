// See tile.h.
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

using kernel::Scalar;

bool are_bytes(const Emitter& e, const hlo::Instruction& product) {
  const auto is_byte = [&](int operand) {
    const Scalar type = e.scalar(e.shape(product.operands[operand]));
    return type == Scalar::kS8 || type == Scalar::kU8;
  };
  return is_byte(0) && is_byte(1);
}

kernel::ValueId multiply_accumulate(Emitter& e, kernel::ValueId acc, kernel::ValueId a,
                                    kernel::ValueId b) {
  const Scalar type = e.b.type(acc).scalar;
  if (!e.choice.micro_kernel) e.product_emitted();
  if (type == Scalar::kPred) return e.b.logical_or(acc, e.b.logical_and(a, b));
  return e.b.mul_add(a, b, acc);
}

kernel::ValueId dot_accumulate(Emitter& e, kernel::ValueId acc, kernel::ValueId a,
                               kernel::ValueId b) {
  e.product_emitted();
  return e.b.dot_accumulate(acc, a, b);
}

}  // namespace hlocc::lowering
