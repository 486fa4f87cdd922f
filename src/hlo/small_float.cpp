// The table of small float formats and the two conversions, done on the bits of f32 and f64.
#include "hlo/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hlocc::hlo {
namespace {

struct FormatRow {
  PrimitiveType type;
  FloatFormat format;
};

constexpr FormatRow format_rows[] = {
    //                                e  m  bias sign  inf    zero  nan
    {PrimitiveType::kF4E2M1FN, {2, 1, 1, true, false, true, NanStyle::kNone}},
    {PrimitiveType::kF8E3M4, {3, 4, 3, true, true, true, NanStyle::kIeee}},
    {PrimitiveType::kF8E4M3, {4, 3, 7, true, true, true, NanStyle::kIeee}},
    {PrimitiveType::kF8E4M3FN, {4, 3, 7, true, false, true, NanStyle::kAllOnes}},
    {PrimitiveType::kF8E4M3B11FNUZ, {4, 3, 11, true, false, true, NanStyle::kNegativeZero}},
    {PrimitiveType::kF8E4M3FNUZ, {4, 3, 8, true, false, true, NanStyle::kNegativeZero}},
    {PrimitiveType::kF8E5M2, {5, 2, 15, true, true, true, NanStyle::kIeee}},
    {PrimitiveType::kF8E5M2FNUZ, {5, 2, 16, true, false, true, NanStyle::kNegativeZero}},
    {PrimitiveType::kF8E8M0FNU, {8, 0, 127, false, false, false, NanStyle::kAllOnes}},
    {PrimitiveType::kF16, {5, 10, 15, true, true, true, NanStyle::kIeee}},
    {PrimitiveType::kBF16, {8, 7, 127, true, true, true, NanStyle::kIeee}},
};

bool is_nan_code(const FloatFormat& f, uint32_t code) {
  const uint32_t magnitude = code & ~f.sign_mask();
  switch (f.nan) {
    case NanStyle::kIeee: return magnitude > f.exponent_mask() << f.mantissa_bits;
    case NanStyle::kAllOnes: return magnitude == f.quiet_nan();
    case NanStyle::kNegativeZero: return code == f.sign_mask();
    case NanStyle::kNone: return false;
  }
  return false;
}

// An unbounded exponent: what would follow the largest finite value, for formats with and without
// infinity.
uint32_t overflow_code(const FloatFormat& f) {
  if (f.has_infinity) return f.exponent_mask() << f.mantissa_bits;
  return f.nan == NanStyle::kNone ? f.max_finite() : f.quiet_nan();
}

// The magnitude of a positive finite value: the significand shifted to the format's place and
// rounded to even. The code grows with the value, so that a carry out of the mantissa steps into
// the exponent by itself.
uint32_t encode_magnitude(const FloatFormat& f, double magnitude) {
  int exponent;
  const double fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  const uint64_t significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
  // A format without zero has no subnormals either: its exponent field 0 is one more power of two.
  const int lowest = f.has_zero ? 1 : 0;
  const int field = std::max(exponent - 1 + f.bias, lowest);
  if (field > 1 << 12) return ~0u;
  // Of 54 bits that go and more nothing is kept.
  const int drop = std::min(52 - f.mantissa_bits + field - (exponent - 1 + f.bias), 63);
  uint64_t kept = significand >> drop;
  const uint64_t rest = significand & ((uint64_t{1} << drop) - 1), half = uint64_t{1} << (drop - 1);
  // Without mantissa bits (and without zero, or no field is 0) the last kept bit is the implicit
  // one, so that ties go up; and what lies above the lowest power of two goes to the next, as
  // everywhere in this ecosystem.
  const bool above_lowest = field == 0 && rest > 0;
  if (above_lowest || rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  if (!f.has_zero) return kept == 0 ? 0 : static_cast<uint32_t>(field + static_cast<int>(kept) - 1);
  // `kept` holds the implicit bit of normal values, which adds one to the field.
  return static_cast<uint32_t>((static_cast<uint64_t>(field - 1) << f.mantissa_bits) + kept);
}

}  // namespace

const FloatFormat* small_float_format(PrimitiveType type) {
  for (const FormatRow& row : format_rows)
    if (row.type == type) return &row.format;
  return nullptr;
}

float small_to_float(const FloatFormat& f, uint32_t code) {
  code &= (1u << f.bits()) - 1;
  if (f.bits() == 16 && f.exponent_bits == 8) return std::bit_cast<float>(code << 16);
  const bool negative = (code & f.sign_mask()) != 0;
  const uint32_t magnitude = code & ~f.sign_mask();
  const int field = static_cast<int>(magnitude >> f.mantissa_bits);
  const uint32_t mantissa = magnitude & f.mantissa_mask();
  float value;
  if (is_nan_code(f, code)) {
    // Payloads stay in the top bits, the quiet bit too, so that a total order tells them apart.
    const uint32_t payload =
        f.nan == NanStyle::kIeee ? mantissa << (23 - f.mantissa_bits) : 0x400000u;
    value = std::bit_cast<float>(0x7f800000u | payload);
  } else if (f.has_infinity && magnitude == f.exponent_mask() << f.mantissa_bits) {
    value = INFINITY;
  } else if (field == 0 && f.has_zero) {
    value = std::ldexp(static_cast<float>(mantissa), 1 - f.bias - f.mantissa_bits);
  } else {
    value = std::ldexp(static_cast<float>(mantissa | 1u << f.mantissa_bits),
                       field - f.bias - f.mantissa_bits);
  }
  return negative ? -value : value;
}

uint32_t float_to_small(const FloatFormat& f, double value) {
  const uint32_t sign = std::signbit(value) ? f.sign_mask() : 0;
  if (std::isnan(value)) {
    if (f.nan != NanStyle::kIeee)
      return f.nan == NanStyle::kAllOnes ? sign | f.quiet_nan() : f.sign_mask();
    const uint64_t payload = std::bit_cast<uint64_t>(value) >> (52 - f.mantissa_bits);
    return sign | f.quiet_nan() | (static_cast<uint32_t>(payload) & f.mantissa_mask());
  }
  if (!f.has_sign && std::signbit(value)) return f.quiet_nan();
  if (std::isinf(value)) return sign | overflow_code(f);
  if (value == 0 && !f.has_zero) return f.quiet_nan();
  if (value == 0) return f.nan == NanStyle::kNegativeZero ? 0 : sign;
  uint32_t magnitude = encode_magnitude(f, std::fabs(value));
  if (magnitude > f.max_finite()) magnitude = overflow_code(f);
  if (f.nan == NanStyle::kNegativeZero && magnitude == 0) return 0;
  return sign | magnitude;
}

}  // namespace hlocc::hlo
