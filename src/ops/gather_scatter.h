// Indexed reads and writes of slices.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kGather>, const Site& site);
Result<Shape> infer(Op<Opcode::kScatter>, const Site& site);

}  // namespace hlocc::ops
