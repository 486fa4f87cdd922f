// Reductions over whole dimensions.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kReduce>, const Site& site);

// What reduce and reduce-window share: N arrays of equal dimensions, N scalar initial values, a
// reducer of N values. Gives N.
Result<int> check_reduction(const Site& site);

}  // namespace hlocc::ops
