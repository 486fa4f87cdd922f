// Factorisations and solves over the last two dimensions.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kCholesky>, const Site& site);
Result<Shape> infer(Op<Opcode::kTriangularSolve>, const Site& site);

}  // namespace hlocc::ops
