// Fourier transforms of the innermost dimensions.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kFft>, const Site& site);

}  // namespace hlocc::ops
