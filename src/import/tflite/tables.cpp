// See tables.h.
#include "import/tflite/tables.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/tflite/fixed_point.h"

namespace hlocc::import::tflite {

InstructionId mapped_bytes(Builder& b, InstructionId x,
                           const std::function<int32_t(int32_t)>& function) {
  std::vector<int64_t> table;
  for (int32_t value = INT8_MIN; value <= INT8_MAX; ++value)
    table.push_back(std::clamp<int32_t>(function(value), INT8_MIN, INT8_MAX));
  const InstructionId indices = b.with(Opcode::kAdd, b.convert(x, PrimitiveType::kS32), -INT8_MIN);
  return b.lookup(b.constant(literal_of(PrimitiveType::kS8, table, {256})), indices);
}

std::function<int32_t(int32_t)> through_reals(const Tensor& in, const Tensor& out,
                                              float (*function)(float)) {
  const float scale = in.scale(), inverse = 1.0f / out.scale();
  const int32_t zero = in.zero_point(), out_zero = out.zero_point();
  return [=](int32_t value) {
    const float real = scale * static_cast<float>(value - zero);
    const float scaled = std::round(function(real) * inverse);
    return rounded(static_cast<double>(scaled + static_cast<float>(out_zero)));
  };
}

}  // namespace hlocc::import::tflite
