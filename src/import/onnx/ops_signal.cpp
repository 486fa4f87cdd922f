// Windows of signals: numbers that are known when the model is read.
#include <cmath>
#include <numbers>

#include "import/build/numbers.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

// a - b cos(2 pi n / N) + c cos(4 pi n / N)
Status window_of_cosines(const Op& op, double a, double b, double c) {
  HLOCC_TRY_ASSIGN(const int64_t count, op.one_integer(0, "the size"));
  const bool is_periodic = op.flag("periodic", true);
  const auto type = element_type(op.integer("output_datatype", 1));
  if (count < 1 || count > (1 << 24)) return op.wrong(cat("a size of ", count));
  if (!type || (*type != PrimitiveType::kF32 && *type != PrimitiveType::kF64))
    return op.unsupported("a window of other numbers than FLOAT and DOUBLE");
  const double length = static_cast<double>(is_periodic ? count : std::max<int64_t>(count - 1, 1));
  std::vector<double> values;
  for (int64_t n = 0; n < count; ++n) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(n) / length;
    values.push_back(a - b * std::cos(turn) + c * std::cos(2 * turn));
  }
  return op.set(op.b.constant(literal_of_reals(*type, values, {count})));
}

}  // namespace

Status hann_window(const Op& op) { return window_of_cosines(op, 0.5, 0.5, 0); }
Status hamming_window(const Op& op) { return window_of_cosines(op, 25.0 / 46, 1 - 25.0 / 46, 0); }
Status blackman_window(const Op& op) { return window_of_cosines(op, 0.42, 0.5, 0.08); }

}  // namespace hlocc::import::onnx::ops
