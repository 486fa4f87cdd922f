// Ops that slide a window over an array: pooling and its gradient.
#pragma once
#include "hlo/attributes.h"
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kReduceWindow>, const Site& site);
Result<Shape> infer(Op<Opcode::kSelectAndScatter>, const Site& site);

// The window positions over an array: one window dimension a dimension.
Result<Shape> windowed_shape(const Shape& operand, const hlo::Window& window);

}  // namespace hlocc::ops
