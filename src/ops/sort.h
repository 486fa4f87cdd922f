// Ordering: sort by a comparator, and the k largest or smallest.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kSort>, const Site& site);
Result<Shape> infer(Op<Opcode::kTopK>, const Site& site);

}  // namespace hlocc::ops
