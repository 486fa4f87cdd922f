// The type in which sums of products are kept: double for every real float, complex<double>, 64
// wrapping bits for integers and pred (where a count that is not zero means true). Rounded once at
// the end, this is the reference that any order of additions is compared with.
#pragma once
#include "interpreter/strided.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {

// Calls visitor(std::type_identity<Sum>{}) for sums whose result is of `type`.
template <typename Visitor>
decltype(auto) visit_sum_type(PrimitiveType type, Visitor&& visitor) {
  if (hlo::is_complex(type)) return visitor(std::type_identity<std::complex<double>>{});
  if (hlo::is_float(type)) return visitor(std::type_identity<double>{});
  return visitor(std::type_identity<int64_t>{});
}

// sum += a * b
inline void multiply_add(double& sum, double a, double b) { sum += a * b; }
inline void multiply_add(int64_t& sum, int64_t a, int64_t b) {
  sum = static_cast<int64_t>(static_cast<uint64_t>(sum) +
                             static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
inline void multiply_add(std::complex<double>& sum, std::complex<double> a,
                         std::complex<double> b) {
  sum += std::complex<double>(a.real() * b.real() - a.imag() * b.imag(),
                              a.real() * b.imag() + a.imag() * b.real());
}

// The elements of a literal with its dimensions in another order.
template <typename Sum>
std::vector<Sum> reordered(const Literal& literal, const Dimensions& order) {
  const std::vector<Sum> values = values_as<Sum>(literal);
  std::vector<Sum> out(values.size());
  const Dimensions box = pick(literal.shape().dimensions, order);
  strided_copy(box, sizeof(Sum), reinterpret_cast<std::byte*>(out.data()),
               {0, hlo::row_major_strides(box)}, reinterpret_cast<const std::byte*>(values.data()),
               {0, pick(hlo::row_major_strides(literal.shape().dimensions), order)});
  return out;
}

}  // namespace hlocc::interpreter
