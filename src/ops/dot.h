// Contractions: dot and its grouped form.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kDot>, const Site& site);
Result<Shape> infer(Op<Opcode::kRaggedDot>, const Site& site);
Result<Shape> infer(Op<Opcode::kScaledDot>, const Site& site);

// The element type of a contraction of operands 0 and 1 (dot, convolution). The program may ask for
// a wider one than the operands have, s8 x s8 -> s32 say, so that the declared type counts.
Result<PrimitiveType> contraction_type(const Site& site);

}  // namespace hlocc::ops
