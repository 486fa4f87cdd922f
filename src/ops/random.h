// Random numbers: the shape of what is drawn is the program's choice.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kRngBitGenerator>, const Site& site);
Result<Shape> infer(Op<Opcode::kRng>, const Site& site);
Result<Shape> infer(Op<Opcode::kRngGetAndUpdateState>, const Site& site);

}  // namespace hlocc::ops
