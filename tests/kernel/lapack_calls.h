// Calls of LAPACK's routines with matrices of any type, run by the evaluator.
#pragma once
#include <catch2/catch.hpp>
#include <complex>
#include <cstring>
#include <random>

#include "kernel/evaluate/evaluator.h"
#include "kernel/lapack/lapack.h"
#include "kernel/verifier.h"

namespace hlocc::kernel::lapack_calls {

using hlo::PrimitiveType;
using hlo::Shape;
using Complex = std::complex<double>;

// Every matrix as complex; real calls take the real parts.
struct Dense {
  int64_t rows = 0, columns = 0;
  std::vector<Complex> at;
  Dense(int64_t r, int64_t c) : rows(r), columns(c), at(static_cast<size_t>(r * c)) {}
  Complex& operator()(int64_t i, int64_t j) { return at[static_cast<size_t>(i * columns + j)]; }
  Complex operator()(int64_t i, int64_t j) const {
    return at[static_cast<size_t>(i * columns + j)];
  }
};
inline Dense operator*(const Dense& a, const Dense& b) {
  Dense c(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < b.columns; ++j)
      for (int64_t k = 0; k < a.columns; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}
inline Dense adjoint(const Dense& a) {
  Dense t(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) t(j, i) = std::conj(a(i, j));
  return t;
}
inline Dense identity(int64_t n) {
  Dense a(n, n);
  for (int64_t i = 0; i < n; ++i) a(i, i) = 1;
  return a;
}
inline double distance(const Dense& a, const Dense& b) {
  REQUIRE(a.at.size() == b.at.size());
  double most = 0;
  for (size_t i = 0; i < a.at.size(); ++i) {
    const double apart = std::abs(a.at[i] - b.at[i]);
    if (std::isnan(apart)) return apart;
    most = std::max(most, apart);
  }
  return most;
}
inline Dense random_matrix(int64_t rows, int64_t columns, bool complex, unsigned seed) {
  std::mt19937 dice(seed);
  std::normal_distribution<double> normal;
  Dense a(rows, columns);
  for (Complex& x : a.at) x = {normal(dice), complex ? normal(dice) : 0};
  return a;
}
inline Dense hermitian(int64_t n, bool complex) {
  Dense a = random_matrix(n, n, complex, 5), h = a * adjoint(a);
  for (int64_t i = 0; i < n; ++i) h(i, i) += 1;
  return h;
}

struct Call {
  std::string routine, options;
  bool complex = false;
  std::vector<Dense> operands;
  std::vector<int32_t> marks;  // an operand behind the matrices, if there are any
  std::vector<Shape> result_shapes;
  std::vector<Dense> results;
  std::vector<int32_t> wholes;  // of the last s32 result

  PrimitiveType type() const { return complex ? PrimitiveType::kC128 : PrimitiveType::kF64; }
  void result(hlo::Dimensions dimensions) {
    result_shapes.push_back(Shape::array(type(), dimensions));
  }
  void real_result(hlo::Dimensions dimensions) {
    result_shapes.push_back(Shape::array(PrimitiveType::kF64, dimensions));
  }
  void whole_result(hlo::Dimensions dimensions) {
    result_shapes.push_back(Shape::array(PrimitiveType::kS32, dimensions));
  }

  void run(bool vector_second = false) {
    std::vector<Shape> shapes;
    std::vector<std::vector<double>> memory;
    for (const Dense& m : operands) {
      const bool vector = vector_second && shapes.size() == 1;
      shapes.push_back(Shape::array(
          type(), vector ? hlo::Dimensions{m.columns} : hlo::Dimensions{m.rows, m.columns}));
      std::vector<double>& bytes = memory.emplace_back();
      for (const Complex& x : m.at) {
        bytes.push_back(x.real());
        if (complex) bytes.push_back(x.imag());
      }
    }
    if (!marks.empty()) {
      shapes.push_back(Shape::array(PrimitiveType::kS32, {static_cast<int64_t>(marks.size())}));
      std::memcpy(memory.emplace_back(marks.size()).data(), marks.data(), marks.size() * 4);
    }
    for (const Shape& shape : result_shapes)
      memory.emplace_back(shape.element_count() * 2 + 1, -7.0);
    const std::string target = std::string("lapack_") + (complex ? "z" : "d") + routine + "_ffi";
    Result<Kernel> kernel = lapack_kernel(target, options, shapes, result_shapes);
    REQUIRE(kernel);
    REQUIRE(verify(*kernel));
    std::vector<std::span<std::byte>> buffers;
    for (size_t i = 0; i < memory.size(); ++i) {
      const Buffer& buffer = kernel->buffers[i];
      buffers.push_back(
          std::as_writable_bytes(std::span(memory[i]))
              .first(static_cast<size_t>(buffer.elements * scalar_bytes(buffer.element))));
    }
    REQUIRE(evaluate(*kernel, buffers, {}));
    for (size_t r = 0; r < result_shapes.size(); ++r) {
      const Shape& shape = result_shapes[r];
      const std::vector<double>& from = memory[shapes.size() + r];
      if (shape.element_type == PrimitiveType::kS32) {
        wholes.resize(static_cast<size_t>(shape.element_count()));
        std::memcpy(wholes.data(), from.data(), wholes.size() * 4);
        continue;
      }
      const bool two = shape.rank() == 2;
      Dense& m = results.emplace_back(two ? shape.dimensions[0] : 1, shape.dimensions.back());
      for (size_t i = 0; i < m.at.size(); ++i)
        m.at[i] =
            hlo::is_complex(shape.element_type) ? Complex(from[2 * i], from[2 * i + 1]) : from[i];
    }
  }
};

inline Shape array(hlo::Dimensions dimensions, PrimitiveType type = PrimitiveType::kF64) {
  return Shape::array(type, dimensions);
}

// A call whose shapes do not fit its routine.
inline void refused(const char* target, const std::vector<Shape>& operands,
                    const std::vector<Shape>& results) {
  const Result<Kernel> kernel = lapack_kernel(target, "{}", operands, results);
  REQUIRE(!kernel);
  CHECK(kernel.error().kind == DiagnosticKind::kShape);
}

}  // namespace hlocc::kernel::lapack_calls
