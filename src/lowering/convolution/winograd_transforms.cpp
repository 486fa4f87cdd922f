// The matrices, written out as the sums that they are.
#include "lowering/convolution/winograd_transforms.h"

#include <array>
#include <cmath>

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// The finite points of F(4) besides 0 are +-kP and +-kQ.
constexpr double kP = 0.625, kQ = 1.5;
constexpr double kP2 = kP * kP, kQ2 = kQ * kQ;

// a * factor + c, contracted where the target likes: the order of sums in a convolution is open.
ValueId scaled_sum(kernel::Builder& b, ValueId a, double factor, ValueId c) {
  return b.mul_add(a, b.constant_float(b.type(a), factor), c);
}
ValueId scaled(kernel::Builder& b, ValueId a, double factor) {
  return b.mul(a, b.constant_float(b.type(a), factor));
}

// FilterRow of G for the finite point p: [1 p p^2] over the product of (p - q) for the other finite
// points q.
using FilterRow = std::array<double, 3>;
FilterRow filter_row(double p, double divisor) {
  return {1 / divisor, p / divisor, p * p / divisor};
}

std::vector<FilterRow> filter_matrix(int m) {
  if (m == 2) return {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  const double at_p = 2 * kP2 * (kP2 - kQ2), at_q = 2 * kQ2 * (kQ2 - kP2);
  return {filter_row(0, kP2 * kQ2), filter_row(kP, at_p),  filter_row(-kP, at_p),
          filter_row(kQ, at_q),     filter_row(-kQ, at_q), {0, 0, 1}};
}

}  // namespace

Values transform_input_line(kernel::Builder& b, int m, const Values& d) {
  if (m == 2) return {b.sub(d[0], d[2]), b.add(d[1], d[2]), b.sub(d[2], d[1]), b.sub(d[1], d[3])};
  const ValueId even_q = scaled_sum(b, d[2], -kQ2, d[4]), odd_q = scaled_sum(b, d[1], -kQ2, d[3]);
  const ValueId even_p = scaled_sum(b, d[2], -kP2, d[4]), odd_p = scaled_sum(b, d[1], -kP2, d[3]);
  return {scaled_sum(b, d[0], kP2 * kQ2, scaled_sum(b, d[2], -(kP2 + kQ2), d[4])),
          scaled_sum(b, odd_q, kP, even_q),
          scaled_sum(b, odd_q, -kP, even_q),
          scaled_sum(b, odd_p, kQ, even_p),
          scaled_sum(b, odd_p, -kQ, even_p),
          scaled_sum(b, d[1], kP2 * kQ2, scaled_sum(b, d[3], -(kP2 + kQ2), d[5]))};
}

Values transform_output_line(kernel::Builder& b, int m, const Values& s) {
  if (m == 2) return {b.add(b.add(s[0], s[1]), s[2]), b.sub(b.sub(s[1], s[2]), s[3])};
  const ValueId sum_p = b.add(s[1], s[2]), difference_p = b.sub(s[1], s[2]);
  const ValueId sum_q = b.add(s[3], s[4]), difference_q = b.sub(s[3], s[4]);
  return {b.add(b.add(s[0], sum_p), sum_q),
          scaled_sum(b, difference_p, kP, scaled(b, difference_q, kQ)),
          scaled_sum(b, sum_p, kP2, scaled(b, sum_q, kQ2)),
          scaled_sum(b, difference_p, kP2 * kP, scaled_sum(b, difference_q, kQ2 * kQ, s[5]))};
}

std::vector<float> transform_filter(int m, std::span<const float> filter, int64_t inputs,
                                    int64_t outputs, const std::vector<ColumnRun>& runs) {
  const std::vector<FilterRow> g = filter_matrix(m);
  const int64_t points = m + 2;
  // Fused by name, so that the bytes don't hang on what this program's own compiler contracts.
  const auto product = [&](int64_t r, int64_t s, int64_t in, int64_t out) {
    double sum = 0;
    for (int64_t y = 0; y < 3; ++y)
      for (int64_t x = 0; x < 3; ++x)
        sum = std::fma(g[r][y] * g[s][x], filter[((y * 3 + x) * inputs + in) * outputs + out], sum);
    return static_cast<float>(sum);
  };
  std::vector<float> panels;
  panels.reserve(points * points * inputs * outputs);
  for (const ColumnRun& run : runs)
    for (int64_t column = run.begin; column < run.end; column += run.step())
      for (int64_t r = 0; r < points; ++r)
        for (int64_t s = 0; s < points; ++s)
          for (int64_t in = 0; in < inputs; ++in)
            for (int64_t out = column; out < column + run.step(); ++out)
              panels.push_back(product(r, s, in, out));
  return panels;
}

}  // namespace hlocc::lowering
