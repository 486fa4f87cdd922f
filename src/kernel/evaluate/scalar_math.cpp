// Which function serves an op on a type, comparisons and conversions.
#include "kernel/evaluate/scalar_math.h"

#include <cmath>

namespace hlocc::kernel {
namespace {

const hlo::FloatFormat* small_format(Scalar scalar) {
  return is_float(scalar) ? hlo::small_float_format(hlo_type_of(scalar)) : nullptr;
}
bool counts_as_signed(Scalar s) { return is_signed(s) || s == Scalar::kIndex; }

template <typename V>
V value_of_bits(uint64_t bits) {
  if constexpr (std::is_floating_point_v<V>)
    return from_bits<V>(bits);
  else
    return static_cast<V>(bits);
}

template <typename V>
LaneFunction comparison(Predicate predicate) {
#define COMPARE(op)                                    \
  [](uint64_t a, uint64_t b, uint64_t) -> uint64_t {   \
    return value_of_bits<V>(a) op value_of_bits<V>(b); \
  }
  switch (predicate) {
    case Predicate::kEq: return COMPARE(==);
    case Predicate::kNe: return COMPARE(!=);
    case Predicate::kLt: return COMPARE(<);
    case Predicate::kLe: return COMPARE(<=);
    case Predicate::kGt: return COMPARE(>);
    case Predicate::kGe: return COMPARE(>=);
  }
  return nullptr;
#undef COMPARE
}

uint64_t same(uint64_t a, uint64_t, uint64_t) { return a; }
uint64_t not_zero(uint64_t a, uint64_t, uint64_t) { return a != 0; }
template <typename F>
uint64_t float_not_zero(uint64_t a, uint64_t, uint64_t) {
  return from_bits<F>(a) != 0;
}
template <typename V, typename F>
uint64_t to_float(uint64_t a, uint64_t, uint64_t) {
  return to_bits<F>(static_cast<F>(value_of_bits<V>(a)));
}
template <Scalar S>
uint64_t wrapped(uint64_t a, uint64_t, uint64_t) {
  return canonical_bits(S, a);
}

// Float to integer: truncates toward zero and saturates, NaN gives 0; the native one is undefined
// out of range.
template <typename F, bool is_signed, bool native>
uint64_t to_integer(double limit_low, double limit_high, uint64_t low, uint64_t high, F value) {
  if (std::isnan(value)) return native ? kUndefinedBits : 0;
  const double whole = std::trunc(static_cast<double>(value));
  if (whole < limit_low) return native ? kUndefinedBits : low;
  if (whole >= limit_high) return native ? kUndefinedBits : high;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(whole))
                   : static_cast<uint64_t>(whole);
}
template <Scalar S, int bits, bool is_signed, typename F, bool native>
uint64_t float_to_integer(uint64_t a, uint64_t, uint64_t) {
  const double high = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  const double low = is_signed ? -high : 0;
  const uint64_t top = is_signed    ? (uint64_t{1} << (bits - 1)) - 1
                       : bits == 64 ? ~uint64_t{0}
                                    : (uint64_t{1} << bits % 64) - 1;
  const uint64_t bottom = is_signed ? ~top : 0;
  return canonical_bits(S,
                        to_integer<F, is_signed, native>(low, high, bottom, top, from_bits<F>(a)));
}

// To these, doubles go by way of f32, as in XLA.
bool rounds_twice(Scalar to) { return to == Scalar::kBF16 || to == Scalar::kF8E8M0FNU; }

template <typename F, bool native>
LaneFunction from_float(Scalar to) {
#define HLOCC_SCALAR(enumerator, text, bits, type_class, hlo_type) \
  if constexpr (ScalarClass::type_class != ScalarClass::kFloat &&  \
                ScalarClass::type_class != ScalarClass::kPred)     \
    if (to == Scalar::enumerator)                                  \
      return float_to_integer<Scalar::enumerator, bits,            \
                              ScalarClass::type_class != ScalarClass::kUnsigned, F, native>;
#include "kernel/evaluate/scalars.def"
  if (to == Scalar::kPred) return float_not_zero<F>;
  if (to == Scalar::kF64) return to_float<F, double>;
  // Doubles on their way to a small float stay doubles: one rounding.
  const bool by_single = to == Scalar::kF32 || rounds_twice(to);
  return std::is_same_v<F, double> && !by_single ? same : to_float<F, float>;
}

template <typename V>
LaneFunction from_integer(Scalar to) {
#define HLOCC_SCALAR(enumerator, text, bits, type_class, hlo_type) \
  if constexpr (ScalarClass::type_class != ScalarClass::kFloat &&  \
                ScalarClass::type_class != ScalarClass::kPred)     \
    if (to == Scalar::enumerator) return wrapped<Scalar::enumerator>;
#include "kernel/evaluate/scalars.def"
  if (to == Scalar::kPred) return not_zero;
  return to == Scalar::kF64 ? to_float<V, double> : to_float<V, float>;
}

LaneFunction conversion(bool native, Scalar from, Scalar to) {
  if (from == Scalar::kF64)
    return native ? from_float<double, true>(to) : from_float<double, false>(to);
  if (is_float(from)) return native ? from_float<float, true>(to) : from_float<float, false>(to);
  return counts_as_signed(from) ? from_integer<int64_t>(to) : from_integer<uint64_t>(to);
}

}  // namespace

uint64_t ScalarOp::apply_small(uint64_t a, uint64_t b, uint64_t c) const {
  if (in != nullptr) {
    const auto decode = [this](uint64_t code) {
      return to_bits<float>(hlo::small_to_float(*in, static_cast<uint32_t>(code)));
    };
    a = decode(a), b = decode(b), c = decode(c);
  }
  const uint64_t result = apply(a, b, c);
  if (out == nullptr) return result;
  return hlo::float_to_small(*out, wide ? from_bits<double>(result) : from_bits<float>(result));
}

ScalarOp scalar_op(OpKind kind, Scalar scalar) {
  ScalarOp op;
  op.apply = is_float(scalar) ? float_function(kind, scalar) : integer_function(kind, scalar);
  op.in = small_format(scalar);
  if (kind != OpKind::kIsFinite) op.out = op.in;
  return op;
}

ScalarOp compare_op(Predicate predicate, Scalar scalar) {
  ScalarOp op;
  op.in = small_format(scalar);
  if (scalar == Scalar::kF64)
    op.apply = comparison<double>(predicate);
  else if (is_float(scalar))
    op.apply = comparison<float>(predicate);
  else
    op.apply =
        counts_as_signed(scalar) ? comparison<int64_t>(predicate) : comparison<uint64_t>(predicate);
  return op;
}

ScalarOp convert_op(OpKind kind, Scalar from, Scalar to) {
  ScalarOp op;
  op.apply = from == to ? same : conversion(kind == OpKind::kNativeConvert, from, to);
  if (from == to) return op;
  op.in = small_format(from);
  op.out = small_format(to);
  op.wide = from == Scalar::kF64 && op.out != nullptr && !rounds_twice(to);
  return op;
}

uint64_t canonical_bits(Scalar scalar, uint64_t bits) {
  const int width = scalar_bits(scalar);
  if (width == 64) return bits;
  const uint64_t mask = (uint64_t{1} << width) - 1;
  bits &= mask;
  return is_signed(scalar) && (bits >> (width - 1) & 1) ? bits | ~mask : bits;
}

bool folds_exactly(OpKind kind) {
  using enum OpKind;
  switch (kind) {
    case kRsqrt:
    case kCbrt:
    case kExp:
    case kExpm1:
    case kLog:
    case kLog1p:
    case kTanh:
    case kLogistic:
    case kErf:
    case kErfc:
    case kSin:
    case kCos:
    case kTan:
    case kAsin:
    case kAcos:
    case kAtan:
    case kSinh:
    case kCosh:
    case kAsinh:
    case kAcosh:
    case kAtanh:
    case kPow:
    case kAtan2: return false;
    default: return true;
  }
}

uint64_t bits_of_double(Scalar scalar, double value) {
  return convert_op(OpKind::kConvert, Scalar::kF64, scalar)(to_bits<double>(value));
}

uint64_t bits_of_int(Scalar scalar, int64_t value) {
  return convert_op(OpKind::kConvert, Scalar::kS64, scalar)(static_cast<uint64_t>(value));
}

}  // namespace hlocc::kernel
