// The meaning of ops on pred, index and integers, one template over the scalar: everything is
// computed in 64 bits and wrapped to the width at the end. Divisions by zero, shifts beyond the
// width and powers are HLO's.
#include <algorithm>
#include <bit>

#include "kernel/evaluate/scalar_math.h"

namespace hlocc::kernel {
namespace {

template <Scalar>
struct ScalarBits;
#define HLOCC_SCALAR(enumerator, text, bit_count, type_class, hlo_type)                            \
  template <>                                                                                      \
  struct ScalarBits<Scalar::enumerator> {                                                          \
    static constexpr int bits = bit_count;                                                         \
    static constexpr ScalarClass kind = ScalarClass::type_class;                                   \
    static constexpr bool is_signed = kind == ScalarClass::kSigned || kind == ScalarClass::kIndex; \
  };
#include "kernel/evaluate/scalars.def"

template <Scalar S>
struct Integer {
  static constexpr int bits = ScalarBits<S>::bits;
  static constexpr bool is_signed = ScalarBits<S>::is_signed;
  static constexpr uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  static constexpr int64_t minimum = INT64_MIN >> (64 - bits);

  static uint64_t wrap(uint64_t x) {
    x &= mask;
    if (is_signed && (x >> (bits - 1) & 1)) x |= ~mask;
    return x;
  }
  static int64_t as_signed(uint64_t x) {
    x &= mask;
    return static_cast<int64_t>(x >> (bits - 1) & 1 ? x | ~mask : x);
  }
  static bool less(uint64_t a, uint64_t b) {
    return is_signed ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
  }
  static bool overflows(uint64_t a, uint64_t b) {
    return is_signed && static_cast<int64_t>(a) == minimum && static_cast<int64_t>(b) == -1;
  }
  static uint64_t divide(uint64_t a, uint64_t b) {
    if (b == 0) return wrap(~uint64_t{0});
    if (overflows(a, b)) return a;
    if (is_signed)
      return wrap(static_cast<uint64_t>(static_cast<int64_t>(a) / static_cast<int64_t>(b)));
    return a / b;
  }
  static uint64_t remainder(uint64_t a, uint64_t b) {
    if (b == 0) return a;
    if (overflows(a, b)) return 0;
    if (is_signed)
      return wrap(static_cast<uint64_t>(static_cast<int64_t>(a) % static_cast<int64_t>(b)));
    return a % b;
  }
  static uint64_t power(uint64_t base, uint64_t exponent) {
    if (is_signed && static_cast<int64_t>(exponent) < 0) {
      if (base == 1) return 1;
      if (static_cast<int64_t>(base) != -1) return 0;
      return exponent & 1 ? base : 1;
    }
    uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result *= base;
      base *= base;
    }
    return wrap(result);
  }
  static uint64_t multiply_high(uint64_t a, uint64_t b) {
    if (is_signed) {
      const __int128 product =
          static_cast<__int128>(static_cast<int64_t>(a)) * static_cast<int64_t>(b);
      return wrap(static_cast<uint64_t>(product >> bits));
    }
    return wrap(static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> bits));
  }
  // Of 32 bits with a sign, whose product 64 bits hold.
  static uint64_t multiply_high_doubled(uint64_t a, uint64_t b) {
    const int64_t twice = static_cast<int64_t>(a * b) >> (bits - 1);
    return wrap(static_cast<uint64_t>(std::min<int64_t>(twice, INT32_MAX)));
  }
  static bool too_far(uint64_t amount) { return (amount & mask) >= static_cast<uint64_t>(bits); }
  static uint64_t shift_arithmetic(uint64_t a, uint64_t amount) {
    return wrap(static_cast<uint64_t>(as_signed(a) >> (too_far(amount) ? 63 : amount & mask)));
  }
  static uint64_t shift_logical(uint64_t a, uint64_t amount) {
    return too_far(amount) ? 0 : wrap((a & mask) >> (amount & mask));
  }
};

#define LANE(formula)                                  \
  [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t { \
    (void)a, (void)b, (void)c;                         \
    return formula;                                    \
  }

template <Scalar S>
LaneFunction whole_number(OpKind kind) {
  using I = Integer<S>;
  using enum OpKind;
  switch (kind) {
    case kAbs: return LANE(I::less(a, 0) ? I::wrap(-a) : a);
    case kNeg: return LANE(I::wrap(-a));
    case kSign: return LANE(a == 0 ? 0 : I::less(a, 0) ? ~uint64_t{0} : 1);
    case kNot: return LANE(I::wrap(~a));
    case kPopcnt: return LANE(I::wrap(std::popcount(a & I::mask)));
    case kClz: return LANE(I::wrap(std::countl_zero(a & I::mask) - (64 - I::bits)));
    case kAdd: return LANE(I::wrap(a + b));
    case kSub: return LANE(I::wrap(a - b));
    case kMul: return LANE(I::wrap(a * b));
    case kDiv: return LANE(I::divide(a, b));
    case kRem: return LANE(I::remainder(a, b));
    case kMin: return LANE(I::less(b, a) ? b : a);
    case kMax: return LANE(I::less(a, b) ? b : a);
    case kPow: return LANE(I::power(a, b));
    case kMulHi: return LANE(I::multiply_high(a, b));
    case kMulHiDoubled:
      if (S != Scalar::kS32) return nullptr;
      return LANE(I::multiply_high_doubled(a, b));
    case kAnd: return LANE(a & b);
    case kOr: return LANE(a | b);
    case kXor: return LANE(a ^ b);
    case kShl: return LANE(I::too_far(b) ? 0 : I::wrap(a << (b & I::mask)));
    case kShrLogical: return LANE(I::shift_logical(a, b));
    case kShrArithmetic: return LANE(I::shift_arithmetic(a, b));
    case kMulAdd: return LANE(I::wrap(a * b + c));
    case kNativeDiv:
      return LANE(b == 0 || I::overflows(a, b) ? I::wrap(kUndefinedBits) : I::divide(a, b));
    case kNativeRem:
      return LANE(b == 0 || I::overflows(a, b) ? I::wrap(kUndefinedBits) : I::remainder(a, b));
    case kNativeShl: return LANE(I::wrap(I::too_far(b) ? kUndefinedBits : a << (b & I::mask)));
    case kNativeShr:
      return LANE(I::too_far(b)  ? I::wrap(kUndefinedBits)
                  : I::is_signed ? I::shift_arithmetic(a, b)
                                 : I::shift_logical(a, b));
    case kNativeMin: return LANE(I::less(a, b) ? a : b);
    case kNativeMax: return LANE(I::less(b, a) ? a : b);
    default: return nullptr;
  }
}

LaneFunction truth_value(OpKind kind) {
  using enum OpKind;
  switch (kind) {
    case kNot: return LANE(a ^ 1);
    case kAdd:
    case kOr:
    case kMax:
    case kNativeMax: return LANE(a | b);
    case kMul:
    case kAnd:
    case kMin:
    case kNativeMin: return LANE(a & b);
    case kXor: return LANE(a ^ b);
    default: return nullptr;
  }
}

}  // namespace

LaneFunction integer_function(OpKind kind, Scalar scalar) {
  switch (scalar) {
    case Scalar::kPred: return truth_value(kind);
    case Scalar::kIndex: return whole_number<Scalar::kIndex>(kind);
    case Scalar::kS1: return whole_number<Scalar::kS1>(kind);
    case Scalar::kS2: return whole_number<Scalar::kS2>(kind);
    case Scalar::kS4: return whole_number<Scalar::kS4>(kind);
    case Scalar::kS8: return whole_number<Scalar::kS8>(kind);
    case Scalar::kS16: return whole_number<Scalar::kS16>(kind);
    case Scalar::kS32: return whole_number<Scalar::kS32>(kind);
    case Scalar::kS64: return whole_number<Scalar::kS64>(kind);
    case Scalar::kU1: return whole_number<Scalar::kU1>(kind);
    case Scalar::kU2: return whole_number<Scalar::kU2>(kind);
    case Scalar::kU4: return whole_number<Scalar::kU4>(kind);
    case Scalar::kU8: return whole_number<Scalar::kU8>(kind);
    case Scalar::kU16: return whole_number<Scalar::kU16>(kind);
    case Scalar::kU32: return whole_number<Scalar::kU32>(kind);
    case Scalar::kU64: return whole_number<Scalar::kU64>(kind);
    default: return nullptr;
  }
}

}  // namespace hlocc::kernel
