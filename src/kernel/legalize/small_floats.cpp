// Small floats as integer code, vectors and all: no target but a few has instructions for them, and
// LLVM 19 aborts or calls missing library functions on most others. Every op decodes to f32,
// computes there and rounds back once, which is HLO's meaning; the formats are the rows of
// hlo/small_float.h.
#include "kernel/legalize/small_floats.h"

#include <cmath>

#include "hlo/small_float.h"
#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

using hlo::FloatFormat;
using hlo::NanStyle;

constexpr uint32_t kInfinity = 0x7f800000, kQuietNan = 0x7fc00000;

const FloatFormat& format_of(Scalar s) { return *hlo::small_float_format(hlo_type_of(s)); }
bool is_truncated_single(const FloatFormat& f) {
  return f.exponent_bits == 8 && f.mantissa_bits == 7;
}

// e8m0: a power of two in an exponent field of f32's own bias; 0 is 2^-127, a subnormal there.
Expr decode_power(Expr code) {
  const Expr power = select(code == 0, 0x400000, code << 23);
  return select(code == 0xff, kQuietNan, power).as_float();
}

Expr encode_power(Expr value) {
  const Expr bits = value.as_unsigned();
  const Expr field = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
  // Ties go up, as the implicit bit is odd; of f32's subnormals, what lies above 2^-127 goes to
  // 2^-126 (hlo/small_float.cpp).
  const Expr half = select(field == 0, bits.like(0x400001), 0x400000);
  const Expr code = field + select(mantissa >= half, bits.like(1), 0);
  const Expr bad = (bits > kInfinity) | (bits == 0);
  return select(bad, 0xff, code);
}

Expr decode_magnitude(Expr code, const FloatFormat& f) {
  const Expr magnitude = code & (f.sign_mask() - 1);
  const Expr shifted = magnitude << (23 - f.mantissa_bits);
  const int rebias = 127 - f.bias;
  // Subnormals: the mantissa below an implicit one that is taken away again, so that no f32
  // subnormal arises.
  const Expr least = (shifted + ((rebias + 1) << 23)).as_float() - std::ldexp(1.0, 1 - f.bias);
  const Expr normal = shifted + (rebias << 23);
  Expr bits = select(magnitude <= f.mantissa_mask(), least.as_unsigned(), normal);
  if (f.nan == NanStyle::kIeee) {
    const uint32_t infinity = f.exponent_mask() << f.mantissa_bits;
    const Expr special = shifted | select(magnitude > infinity, bits.like(kQuietNan), kInfinity);
    return select(magnitude >= infinity, special, bits);
  }
  if (f.nan == NanStyle::kAllOnes) return select(magnitude == f.quiet_nan(), kQuietNan, bits);
  if (f.nan == NanStyle::kNegativeZero) return select(code == f.sign_mask(), kQuietNan, bits);
  return bits;
}

// The magnitude's code as if exponents had no end, rounded to nearest even.
Expr encode_finite(Expr magnitude, const FloatFormat& f) {
  const int drop = 23 - f.mantissa_bits, rebias = 127 - f.bias;
  const Expr tie = magnitude >> drop & 1;
  const Expr normal = (magnitude + ((1 << (drop - 1)) - 1 - (rebias << 23)) + tie) >> drop;
  if (rebias == 0) return normal;
  // Adding 2^k leaves the bits that the format keeps for subnormals, rounded by the adder.
  const Expr magic = magnitude.as_float().like(std::ldexp(1.0, 1 - f.bias - f.mantissa_bits + 23));
  const Expr least = (magnitude.as_float() + magic).as_unsigned() - magic.as_unsigned();
  return select(magnitude < ((rebias + 1) << 23), least, normal);
}

uint32_t overflow_code(const FloatFormat& f) {
  if (f.has_infinity) return f.exponent_mask() << f.mantissa_bits;
  return f.nan == NanStyle::kNone ? f.max_finite() : f.quiet_nan();
}

Expr encode_bits(Expr value, const FloatFormat& f) {
  const Expr bits = value.as_unsigned();
  const Expr magnitude = bits & 0x7fffffff;
  const Expr sign = bits >> 31 << (f.bits() - 1);
  const Expr finite = encode_finite(magnitude, f);
  const Expr code = select(finite > f.max_finite(), overflow_code(f), finite);
  const Expr is_nan = magnitude > kInfinity;
  if (f.nan == NanStyle::kIeee) {
    const Expr payload = (magnitude >> (23 - f.mantissa_bits) & f.mantissa_mask()) | f.quiet_nan();
    return select(is_nan, payload, code) | sign;
  }
  if (f.nan == NanStyle::kAllOnes) return select(is_nan, f.quiet_nan(), code) | sign;
  const Expr with_sign = select(is_nan, f.sign_mask(), code | sign);
  if (f.nan == NanStyle::kNone) return with_sign;
  // There is no -0, and overflow is the only NaN.
  return select(is_nan | (code == 0) | (code == f.quiet_nan()),
                select(is_nan, bits.like(f.quiet_nan()), code), with_sign);
}

// Changes of sign leave the code's other bits alone where the format has both zeros.
std::optional<Expr> on_code(const Site& site, const FloatFormat& f) {
  if (f.nan == NanStyle::kNegativeZero || !f.has_sign) return std::nullopt;
  if (site.op.kind == OpKind::kNeg) return site.operand(0) ^ f.sign_mask();
  if (site.op.kind == OpKind::kAbs) return site.operand(0) & (f.sign_mask() - 1);
  return std::nullopt;
}

Expr in_single(const Site& site, std::span<const Expr> in) {
  const OpKind kind = site.op.kind;
  if (kind == OpKind::kCompare) return in[0].compare(std::get<Predicate>(site.op.payload), in[1]);
  if (kind == OpKind::kIsFinite) return {site.builder, site.builder.is_finite(in[0].id())};
  if (kind == OpKind::kMulAdd) return mul_add(in[0], in[1], in[2]);
  return in.size() == 1 ? in[0].unary(kind) : in[0].binary(kind, in[1]);
}

}  // namespace

bool is_small_float(Scalar s) { return is_float(s) && s != Scalar::kF32 && s != Scalar::kF64; }

Expr decode_small(Expr code, Scalar scalar) {
  const FloatFormat& f = format_of(scalar);
  const Expr wide = code.native_convert(Scalar::kU32) & ((1u << f.bits()) - 1);
  if (is_truncated_single(f)) return (wide << 16).as_float();
  if (!f.has_sign) return decode_power(wide);
  const Expr sign = (wide & f.sign_mask()) << (32 - f.bits());
  return (decode_magnitude(wide, f) | sign).as_float();
}

Expr encode_small(Expr value, Scalar scalar) {
  const FloatFormat& f = format_of(scalar);
  const Expr code = f.has_sign ? encode_bits(value, f) : encode_power(value);
  return code.native_convert(held_scalar(scalar));
}

Expr round_to_odd(Expr x) {
  const Expr nearest = x.native_convert(Scalar::kF32);
  const Expr back = nearest.native_convert(Scalar::kF64);
  const Expr bits = nearest.as_unsigned();
  // Toward zero, then the last bit says that something was left.
  const Expr truncated = bits - select(absolute(back) > absolute(x), bits.like(1), 0);
  const Expr inexact = (back < x) | (back > x);
  return select(inexact, truncated | 1, bits).as_float();
}

Expr expand_small_float(const Site& site) {
  if (is_small_float(site.type.scalar))
    if (const auto code = on_code(site, format_of(site.type.scalar))) return *code;
  std::vector<Expr> in;
  for (size_t i = 0; i < site.operands.size(); ++i)
    in.push_back(decode_small(site.operand(static_cast<int>(i)), site.from.scalar));
  const Expr result = in_single(site, in);
  return is_small_float(site.type.scalar) ? encode_small(result, site.type.scalar) : result;
}

}  // namespace hlocc::kernel
