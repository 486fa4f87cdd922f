// Convolution in any number of spatial dimensions, with groups and dilations.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kConvolution>, const Site& site);

}  // namespace hlocc::ops
