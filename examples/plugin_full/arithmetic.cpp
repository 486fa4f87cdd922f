// The arithmetic unit: each operation on registers of 64 bits that hold a type's value: integers
// extended by their sign, floats as their bits, pred as 0 or 1.
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "instructions.h"
#include "kernel/kernel.h"

namespace full {
namespace {

using hlocc::kernel::Predicate, hlocc::kernel::Scalar;

template <typename T>
T get(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}
template <typename T>
uint64_t put(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  else
    return static_cast<uint64_t>(value);
}
// Integers wrap: what they compute in 64 bits is cut.
template <typename T>
uint64_t cut(uint64_t bits) {
  return put(static_cast<T>(bits));
}
template <typename T>
inline constexpr bool is_float = std::is_floating_point_v<T>;

template <typename T, Arithmetic kind>
uint64_t compute(uint64_t a, uint64_t b, uint64_t c) {
  using enum Arithmetic;
  const T x = get<T>(a), y = get<T>(b);
  if constexpr (kind == kAs) return is_float<T> ? put(x) : cut<T>(a);
  if constexpr (kind == kMin) return x < y ? a : b;
  if constexpr (kind == kMax) return x > y ? a : b;
  if constexpr (is_float<T>) {
    constexpr uint64_t sign = uint64_t{1} << (8 * sizeof(T) - 1);
    if constexpr (kind == kAbs) return a & ~sign;
    if constexpr (kind == kNeg) return a ^ sign;
    if constexpr (kind == kSqrt) return put(std::sqrt(x));
    if constexpr (kind == kAdd) return put(x + y);
    if constexpr (kind == kSub) return put(x - y);
    if constexpr (kind == kMul) return put(x * y);
    if constexpr (kind == kDiv) return put(x / y);
    if constexpr (kind == kMulAdd) return put(std::fma(x, y, get<T>(c)));
  } else if constexpr (std::is_same_v<T, bool>) {
    if constexpr (kind == kNot) return a ^ 1;
    if constexpr (kind == kAnd) return a & b;
    if constexpr (kind == kOr) return a | b;
    if constexpr (kind == kXor) return a ^ b;
  } else {
    // The quotient that would trap has no meaning: any number will do.
    const bool traps = y == 0 || (std::is_signed_v<T> && y == static_cast<T>(-1));
    if constexpr (kind == kAbs) return x < 0 ? cut<T>(0 - a) : a;
    if constexpr (kind == kNeg) return cut<T>(0 - a);
    if constexpr (kind == kNot) return cut<T>(~a);
    if constexpr (kind == kAdd) return cut<T>(a + b);
    if constexpr (kind == kSub) return cut<T>(a - b);
    if constexpr (kind == kMul) return cut<T>(a * b);
    if constexpr (kind == kDiv) return traps ? cut<T>(0 - a) : put(static_cast<T>(x / y));
    if constexpr (kind == kRem) return traps ? 0 : put(static_cast<T>(x % y));
    if constexpr (kind == kAnd) return a & b;
    if constexpr (kind == kOr) return a | b;
    if constexpr (kind == kXor) return a ^ b;
    if constexpr (kind == kShl) return cut<T>(a << (b & 63));
    if constexpr (kind == kShr) return put(static_cast<T>(x >> (b & (8 * sizeof(T) - 1))));
    if constexpr (kind == kMulAdd) return cut<T>(a * b + c);
  }
  return 0;
}

template <typename T>
Alu arithmetic_of(Arithmetic kind) {
  using enum Arithmetic;
  static constexpr Alu table[] = {
      compute<T, kAbs>, compute<T, kNeg>,    compute<T, kNot>, compute<T, kSqrt>, compute<T, kAdd>,
      compute<T, kSub>, compute<T, kMul>,    compute<T, kDiv>, compute<T, kRem>,  compute<T, kMin>,
      compute<T, kMax>, compute<T, kAnd>,    compute<T, kOr>,  compute<T, kXor>,  compute<T, kShl>,
      compute<T, kShr>, compute<T, kMulAdd>, compute<T, kAs>};
  constexpr bool is_pred = std::is_same_v<T, bool>;
  const bool bits = kind == kNot || (kind >= kAnd && kind <= kXor);
  const bool integers = kind == kRem || kind == kShl || kind == kShr || bits;
  if (is_float<T> ? integers : is_pred ? !bits && kind != kAs : kind == kSqrt) return nullptr;
  return table[static_cast<int>(kind)];
}

template <typename T>
Alu comparison_of(Predicate predicate) {
  static constexpr Alu table[] = {
      [](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return get<T>(a) == get<T>(b); },
      [](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return get<T>(a) != get<T>(b); },
      [](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return get<T>(a) < get<T>(b); },
      [](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return get<T>(a) <= get<T>(b); },
      [](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return get<T>(a) > get<T>(b); },
      [](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return get<T>(a) >= get<T>(b); }};
  return table[static_cast<int>(predicate)];
}

template <typename From, typename To>
uint64_t convert(uint64_t a, uint64_t, uint64_t) {
  const From x = get<From>(a);
  if constexpr (is_float<From> && !is_float<To>) {
    // Out of range there is no meaning, but there must be no trap either.
    const auto low = static_cast<From>(std::numeric_limits<To>::min());
    const auto high = std::ldexp(static_cast<From>(1), std::numeric_limits<To>::digits);
    if (!(std::trunc(x) >= low && x < high)) return 0;
  }
  return put(static_cast<To>(x));
}

// The type of C++ that computes like the scalar: the choice goes through here once a program.
template <typename Use>
Alu with_type(Scalar scalar, const Use& use) {
  switch (scalar) {
    case Scalar::kPred: return use(bool{});
    case Scalar::kIndex:
    case Scalar::kS64: return use(int64_t{});
    case Scalar::kS8: return use(int8_t{});
    case Scalar::kS16: return use(int16_t{});
    case Scalar::kS32: return use(int32_t{});
    case Scalar::kU8: return use(uint8_t{});
    case Scalar::kU16: return use(uint16_t{});
    case Scalar::kU32: return use(uint32_t{});
    case Scalar::kU64: return use(uint64_t{});
    case Scalar::kF32: return use(float{});
    case Scalar::kF64: return use(double{});
    default: return nullptr;
  }
}

}  // namespace

Alu find_alu(const Instruction& one) {
  if (one.op == Opcode::kArithmetic)
    return with_type(one.type, [&](auto type) {
      return arithmetic_of<decltype(type)>(static_cast<Arithmetic>(one.detail));
    });
  if (one.op == Opcode::kCompare)
    return with_type(one.type, [&](auto type) {
      return comparison_of<decltype(type)>(static_cast<Predicate>(one.detail));
    });
  if (one.op == Opcode::kConvert)
    return with_type(one.type, [&](auto to) {
      return with_type(static_cast<Scalar>(one.detail),
                       [](auto from) -> Alu { return convert<decltype(from), decltype(to)>; });
    });
  return nullptr;
}

}  // namespace full
