// Batch normalisation: training, inference, gradient.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kBatchNormTraining>, const Site& site);
Result<Shape> infer(Op<Opcode::kBatchNormInference>, const Site& site);
Result<Shape> infer(Op<Opcode::kBatchNormGrad>, const Site& site);

}  // namespace hlocc::ops
