// Bounded dynamic dimensions: arrays whose run-time size lies below the size in their shape.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kGetDimensionSize>, const Site& site);
Result<Shape> infer(Op<Opcode::kSetDimensionSize>, const Site& site);
Result<Shape> infer(Op<Opcode::kDynamicReshape>, const Site& site);

}  // namespace hlocc::ops
