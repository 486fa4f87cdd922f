// Sampling and measuring. The reference is long double's libm: 64 bits of significand leave f64's
// last place 2^-11 of doubt.
#include "legalize/accuracy.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "kernel/evaluate/scalar_math.h"

namespace hlocc::kernel {
namespace {

using enum OpKind;
using Real = long double;

Real number_of(Scalar scalar, uint64_t bits) {
  return scalar == Scalar::kF64 ? Real(std::bit_cast<double>(bits))
                                : Real(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

// The distance of the format's numbers around the value; that of the subnormals below the least
// normal one.
Real ulp_of(Scalar scalar, Real value) {
  const int mantissa = scalar == Scalar::kF64 ? 52 : 23,
            least = scalar == Scalar::kF64 ? -1022 : -126;
  int exponent;
  std::frexp(value, &exponent);
  return std::ldexp(Real(1), std::max(exponent - 1, least) - mantissa);
}

Real rounded(Scalar scalar, Real value) {
  return scalar == Scalar::kF64 ? Real(double(value)) : Real(float(value));
}

double error_of(Scalar scalar, uint64_t got_bits, Real wanted) {
  const Real got = number_of(scalar, got_bits);
  if (std::isnan(wanted) || std::isnan(got))
    return std::isnan(wanted) && std::isnan(got) ? 0 : INFINITY;
  const Real nearest = rounded(scalar, wanted);
  // Beyond the largest number the error of an infinity is counted from there.
  if (got == nearest && std::signbit(got) == std::signbit(nearest) && std::isinf(got)) return 0;
  if (std::isinf(got))
    return std::isinf(rounded(scalar, wanted + std::copysign(4 * ulp_of(scalar, wanted), wanted)))
               ? 2
               : INFINITY;
  if (std::isinf(wanted)) return INFINITY;
  if (got == 0 && nearest == 0 && std::signbit(got) != std::signbit(wanted)) return INFINITY;
  return static_cast<double>(std::fabs(got - wanted) / ulp_of(scalar, wanted));
}

OpTest test_of(OpKind kind, Scalar scalar) {
  return op_operands(kind) == 1 ? unary_test(kind, scalar) : binary_test(kind, scalar);
}

Accuracy worst_of(OpKind kind, Scalar scalar, const Runner& runner,
                  const std::vector<Column>& inputs, const std::function<Real(size_t)>& wanted) {
  const Column got = runner(test_of(kind, scalar), inputs);
  Accuracy worst;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = error_of(scalar, got[i], wanted(i));
    if (error <= worst.worst) continue;
    worst = {error, {}, got[i]};
    for (const Column& column : inputs) worst.at.push_back(column[i]);
  }
  return worst;
}

Real logistic(Real x) { return x < -40 ? std::exp(x) : 1 / (1 + std::exp(-x)); }

}  // namespace

const std::vector<Function>& functions_of_one() {
  static const std::vector<Function> functions = {
      {kExp, 2, -750, 720, [](Real x) { return std::exp(x); }},
      {kExpm1, 4, -40, 90, [](Real x) { return std::expm1(x); }},
      {kLog, 2, 0, 20, [](Real x) { return std::log(x); }},
      {kLog1p, 4, -1, 3, [](Real x) { return std::log1p(x); }},
      {kTanh, 2, -10, 10, [](Real x) { return std::tanh(x); }},
      {kLogistic, 2, -110, 40, logistic},
      {kErf, 2, -6, 6, [](Real x) { return std::erf(x); }},
      {kErfc, 4, -4, 28, [](Real x) { return std::erfc(x); }},
      {kSin, 2, -10000, 10000, [](Real x) { return std::sin(x); }},
      {kCos, 2, -10000, 10000, [](Real x) { return std::cos(x); }},
      {kTan, 4, -10, 10, [](Real x) { return std::tan(x); }},
      {kAsin, 4, -1, 1, [](Real x) { return std::asin(x); }},
      {kAcos, 4, -1, 1, [](Real x) { return std::acos(x); }},
      {kAtan, 4, -4, 4, [](Real x) { return std::atan(x); }},
      {kSinh, 4, -90, 90, [](Real x) { return std::sinh(x); }},
      {kCosh, 4, -90, 90, [](Real x) { return std::cosh(x); }},
      {kAsinh, 4, -10, 10, [](Real x) { return std::asinh(x); }},
      {kAcosh, 4, 1, 10, [](Real x) { return std::acosh(x); }},
      {kAtanh, 4, -1, 1, [](Real x) { return std::atanh(x); }},
      {kCbrt, 4, -10, 10, [](Real x) { return std::cbrt(x); }},
      {kRsqrt, 2, 0, 10, [](Real x) { return 1 / std::sqrt(x); }},
      {kSqrt, 0.5, 0, 10, [](Real x) { return std::sqrt(x); }},
  };
  return functions;
}

const std::vector<Function2>& functions_of_two() {
  static const std::vector<Function2> functions = {
      {kPow, 4, [](Real x, Real y) { return std::pow(x, y); }},
      {kAtan2, 4, [](Real y, Real x) { return std::atan2(y, x); }},
  };
  return functions;
}

Column sample(Scalar scalar, double low, double high, int points) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> even(low, high);
  Column column;
  for (int i = 0; i < points / 2; ++i) {
    column.push_back(bits_of_double(scalar, even(random)));
    column.push_back(canonical_bits(scalar, random()));
  }
  return column;
}

Runner legalised_for(const Target& target) {
  return [target](const OpTest& test, const std::vector<Column>& inputs) {
    return run(legal_kernel_of(test, static_cast<int64_t>(inputs[0].size()), 1, target), test,
               inputs);
  };
}

Accuracy measure(const Function& function, Scalar scalar, const Runner& runner, int points) {
  Column inputs = sample(scalar, function.low, function.high, points);
  for (const uint64_t bits : edge_values(scalar, 0)) inputs.push_back(bits);
  return worst_of(function.kind, scalar, runner, {inputs},
                  [&](size_t i) { return function.value(number_of(scalar, inputs[i])); });
}

Accuracy measure(const Function2& function, Scalar scalar, const Runner& runner, int points) {
  // Numbers of like size, of any size, and every pair of edge values.
  std::vector<Column> inputs = pairs_of(edge_values(scalar, 0), edge_values(scalar, 0));
  const Column near = sample(scalar, 0, 30, points), far = sample(scalar, -30, 30, points + 2);
  for (size_t i = 0; i < near.size(); ++i) {
    inputs[0].push_back(near[i]);
    inputs[1].push_back(far[i + i % 3 % 2]);
  }
  return worst_of(function.kind, scalar, runner, inputs, [&](size_t i) {
    return function.value(number_of(scalar, inputs[0][i]), number_of(scalar, inputs[1][i]));
  });
}

}  // namespace hlocc::kernel
