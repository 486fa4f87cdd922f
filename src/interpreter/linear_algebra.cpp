// cholesky and triangular-solve by substitution, one precision wider than the type and rounded
// once. Only the triangle that the op names is read.
#include <cmath>
#include <complex>
#include <limits>

#include "interpreter/families.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

template <typename Visitor>
Literal visit_wide(PrimitiveType type, Visitor&& visitor) {
  if (type == PrimitiveType::kF64) return visitor(std::type_identity<long double>{});
  if (type == PrimitiveType::kC64) return visitor(std::type_identity<std::complex<double>>{});
  if (type == PrimitiveType::kC128) return visitor(std::type_identity<std::complex<long double>>{});
  return visitor(std::type_identity<double>{});
}

inline double conjugate(double x) { return x; }
inline long double conjugate(long double x) { return x; }
template <typename R>
std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}
inline double real_part(double x) { return x; }
inline long double real_part(long double x) { return x; }
template <typename R>
R real_part(std::complex<R> x) {
  return x.real();
}

// Row i, column j of a matrix inside an array of them.
template <typename T>
struct Matrix {
  T* data;
  int64_t rows, columns;
  T& operator()(int64_t i, int64_t j) const { return data[i * columns + j]; }
};

// a = l l^H; false if a is not positive definite. Reads the lower triangle of `a(i, j)`.
template <typename T, typename Read>
bool factor(const Matrix<T>& l, Read a) {
  for (int64_t j = 0; j < l.rows; ++j) {
    auto square = real_part(a(j, j));
    for (int64_t k = 0; k < j; ++k) square -= real_part(l(j, k) * conjugate(l(j, k)));
    if (!(square > 0)) return false;
    const auto pivot = std::sqrt(square);
    l(j, j) = pivot;
    for (int64_t i = j + 1; i < l.rows; ++i) {
      T sum = a(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= l(i, k) * conjugate(l(j, k));
      l(i, j) = sum / pivot;
    }
  }
  return true;
}

}  // namespace

// The other triangle of the result is zero; a matrix that is not positive definite gives NaN
// throughout.
Result<Literal> evaluate(Op<Opcode::kCholesky>, Context&, const Instruction& instruction,
                         Operands operands) {
  const bool is_lower = instruction.get<hlo::CholeskyAttributes>().lower;
  const int64_t n = instruction.shape.dimensions.empty() ? 0 : instruction.shape.dimensions.back();
  return visit_wide(instruction.shape.element_type, [&]<typename T>(std::type_identity<T>) {
    std::vector<T> a = values_as<T>(operands[0]), result(a.size());
    std::vector<T> lower(static_cast<size_t>(n * n));
    for (size_t base = 0; base < a.size(); base += static_cast<size_t>(n * n)) {
      const Matrix<T> in{&a[base], n, n}, out{&result[base], n, n}, l{lower.data(), n, n};
      std::fill(lower.begin(), lower.end(), T{});
      const bool done = factor(
          l, [&](int64_t i, int64_t j) { return is_lower ? in(i, j) : conjugate(in(j, i)); });
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          out(i, j) = is_lower ? l(i, j) : conjugate(l(j, i));
          if (!done) out(i, j) = std::numeric_limits<double>::quiet_NaN();
        }
    }
    return literal_from(instruction.shape, result);
  });
}

namespace {

// Solves t x = b for one column, where t(i, j) is a lower (else upper) triangle.
template <typename T, typename Read, typename Column>
void substitute(int64_t n, bool is_lower, bool unit_diagonal, Read t, Column x) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = is_lower ? step : n - 1 - step;
    T sum = x(i);
    for (int64_t k = is_lower ? 0 : i + 1, end = is_lower ? i : n; k < end; ++k)
      sum -= t(i, k) * x(k);
    x(i) = unit_diagonal ? sum : sum / t(i, i);
  }
}

}  // namespace

// left: op(a) x = b. right: x op(a) = b, which is op(a)^T x^T = b^T.
Result<Literal> evaluate(Op<Opcode::kTriangularSolve>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& options = instruction.get<hlo::TriangularSolveAttributes>();
  using Attributes = hlo::TriangularSolveAttributes;
  const bool transposes =
      options.transpose_a == Attributes::kTranspose || options.transpose_a == Attributes::kAdjoint;
  const bool conjugates = options.transpose_a == Attributes::kAdjoint;
  const Dimensions& extents = instruction.shape.dimensions;
  const int64_t rows = extents[extents.size() - 2], columns = extents.back();
  const int64_t n = options.left_side ? rows : columns;
  return visit_wide(instruction.shape.element_type, [&]<typename T>(std::type_identity<T>) {
    std::vector<T> a = values_as<T>(operands[0]), b = values_as<T>(operands[1]);
    // The triangle as the substitution sees it: transposed once by op, once more by solving from
    // the right.
    const bool swaps = transposes == options.left_side;
    const bool is_lower = options.lower != swaps;
    const int64_t count =
        n == 0 ? 0 : static_cast<int64_t>(b.size()) / std::max<int64_t>(rows * columns, 1);
    for (int64_t batch = 0; batch < count; ++batch) {
      const Matrix<T> m{a.data() + batch * n * n, n, n},
          x{b.data() + batch * rows * columns, rows, columns};
      const auto t = [&](int64_t i, int64_t j) {
        const T value = swaps ? m(j, i) : m(i, j);
        return conjugates ? conjugate(value) : value;
      };
      for (int64_t c = 0; c < (options.left_side ? columns : rows); ++c)
        substitute<T>(n, is_lower, options.unit_diagonal, t,
                      [&](int64_t i) -> T& { return options.left_side ? x(i, c) : x(c, i); });
    }
    return literal_from(instruction.shape, b);
  });
}

}  // namespace hlocc::interpreter
