// See finite.h.
#include "ops/finite.h"

#include <algorithm>
#include <cmath>

namespace hlocc::ops {

bool is_finite(const hlo::Literal& literal) {
  if (literal.type() != hlo::PrimitiveType::kF32) return false;
  return std::ranges::all_of(literal.data<float>(),
                             [](float value) { return std::isfinite(value); });
}

}  // namespace hlocc::ops
