// See contraction_types.h.
#include "ops/contraction_types.h"

#include <tuple>

#include "hlo/small_float.h"

namespace hlocc::ops {
namespace {

using enum PrimitiveType;

// pred and integers of any sign meet as they are, floats with floats, complex with complex.
int kind_of(PrimitiveType type) { return hlo::is_complex(type) ? 2 : hlo::is_float(type) ? 1 : 0; }

struct FloatWidth {
  int largest_exponent, mantissa_bits;
};
FloatWidth width_of(PrimitiveType real) {
  if (real == kF64) return {1024, 52};
  if (real == kF32) return {128, 23};
  const hlo::FloatFormat* const format = hlo::small_float_format(real);
  // Without a float: below every one.
  if (format == nullptr) return {-1, -1};
  const int reserved = format->nan == hlo::NanStyle::kIeee ? 1 : 0;
  return {(1 << format->exponent_bits) - reserved - format->bias, format->mantissa_bits};
}

auto rank_of(PrimitiveType type) {
  const PrimitiveType real = hlo::real_type(type);
  const FloatWidth width = width_of(real);
  return std::tuple(hlo::is_complex(type), width.largest_exponent, width.mantissa_bits,
                    hlo::type_bits(real), hlo::is_signed(real));
}

// Whether every value of a float or complex type is one of another.
bool holds(PrimitiveType wide, PrimitiveType narrow) {
  const FloatWidth to = width_of(hlo::real_type(wide)), from = width_of(hlo::real_type(narrow));
  return kind_of(wide) >= kind_of(narrow) && to.largest_exponent >= from.largest_exponent &&
         to.mantissa_bits >= from.mantissa_bits;
}

}  // namespace

PrimitiveType higher_precision(PrimitiveType a, PrimitiveType b) {
  return rank_of(a) >= rank_of(b) ? a : b;
}

ContractionTypes contraction_types(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result) {
  const int kind = kind_of(result);
  // Sums are kept as wide as the result wants them, and integers may be summed as floats.
  const bool alike = kind_of(lhs) == kind_of(rhs);
  if (alike && (kind == kind_of(lhs) || (kind == 1 && kind_of(lhs) == 0)))
    return {lhs, rhs, result};
  const PrimitiveType inner = higher_precision(lhs, rhs);
  const PrimitiveType meet = kind_of(inner) > 0 && holds(result, inner) ? result : inner;
  const auto side = [&](PrimitiveType type) {
    return kind_of(type) == kind_of(meet) ? type : meet;
  };
  return {side(lhs), side(rhs), kind == kind_of(meet) ? result : meet};
}

PrimitiveType scaling_type(PrimitiveType a, PrimitiveType b) {
  const int width = hlo::type_bits(a), other = hlo::type_bits(b);
  if (width < 16 && other < 16) return kBF16;
  if (a == b) return a;
  if (width == other) return kF32;
  return width > other ? a : b;
}

}  // namespace hlocc::ops
