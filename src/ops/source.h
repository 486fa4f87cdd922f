// Ops without operands: their shape is their own statement, checked for sense.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kParameter>, const Site& site);
Result<Shape> infer(Op<Opcode::kConstant>, const Site& site);
Result<Shape> infer(Op<Opcode::kIota>, const Site& site);

}  // namespace hlocc::ops
