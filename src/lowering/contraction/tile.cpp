// See tile.h.
#include "lowering/contraction/tile.h"

#include <algorithm>

namespace hlocc::lowering {

using kernel::Scalar;

bool are_bytes(const Emitter& e, const hlo::Instruction& product) {
  return std::ranges::all_of(product.operands, [&](hlo::InstructionId operand) {
    return kernel::is_byte(e.scalar(e.shape(operand)));
  });
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
