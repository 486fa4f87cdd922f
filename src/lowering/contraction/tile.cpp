// See tile.h.
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

using kernel::Scalar;

kernel::ValueId multiply_accumulate(Emitter& e, kernel::ValueId acc, kernel::ValueId a,
                                    kernel::ValueId b) {
  const Scalar type = e.b.type(acc).scalar;
  if (type == Scalar::kPred) return e.b.logical_or(acc, e.b.logical_and(a, b));
  return e.b.mul_add(a, b, acc);
}

}  // namespace hlocc::lowering
