// See values.h. Edge values are written as doubles and rounded into the type, and for integers as
// powers of two around which implementations overflow.
#include "fuzz/values.h"

#include <cmath>
#include <limits>

#include "hlo/small_float.h"

namespace hlocc::fuzz {
namespace {

using hlo::Dimensions, hlo::Literal, hlo::PrimitiveType, hlo::Shape;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The storage unit of `width` bytes at `unit`.
void put_bits(Literal& literal, int64_t unit, uint64_t bits, int width) {
  std::memcpy(literal.mutable_bytes().data() + unit * width, &bits, static_cast<size_t>(width));
}
uint64_t get_bits(const Literal& literal, int64_t unit, int width) {
  uint64_t bits = 0;
  std::memcpy(&bits, literal.bytes().data() + unit * width, static_cast<size_t>(width));
  return bits;
}

// A code of `type` as it is stored: sub-byte integers are extended to their byte.
uint64_t stored(PrimitiveType type, uint64_t code) {
  const int bits = hlo::type_bits(type);
  if (bits >= 64) return code;
  code &= (uint64_t{1} << bits) - 1;
  if (is_signed(type) && (code >> (bits - 1) & 1)) code |= ~uint64_t{0} << bits;
  return code;
}

uint64_t code_of(PrimitiveType type, double value) {
  if (hlo::is_pred(type)) return value != 0;
  if (const hlo::FloatFormat* format = hlo::small_float_format(type))
    return hlo::float_to_small(*format, value);
  if (type == PrimitiveType::kF32) {
    const float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  if (type == PrimitiveType::kF64) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  if (!(std::fabs(value) < 0x1p63)) return 0;
  return stored(type, static_cast<uint64_t>(static_cast<int64_t>(value)));
}

double number_of(PrimitiveType type, uint64_t bits) {
  if (const hlo::FloatFormat* format = hlo::small_float_format(type))
    return hlo::small_to_float(*format, static_cast<uint32_t>(bits));
  if (type == PrimitiveType::kF32) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (type == PrimitiveType::kF64) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (!is_signed(type)) return static_cast<double>(bits);
  const int width = hlo::storage_bytes(type) * 8;
  return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

const std::vector<double>& edge_numbers() {
  static const std::vector<double>& numbers = *new std::vector<double>{0.0,
                                                                       -0.0,
                                                                       1,
                                                                       -1,
                                                                       0.5,
                                                                       -0.5,
                                                                       1.5,
                                                                       -1.5,
                                                                       2,
                                                                       -2,
                                                                       2.5,
                                                                       -2.5,
                                                                       3,
                                                                       -3,
                                                                       0.49999997,
                                                                       -0.49999997,
                                                                       0.25,
                                                                       1.0 / 3,
                                                                       -1.0 / 3,
                                                                       0.1,
                                                                       0.9999999,
                                                                       1.0000001,
                                                                       -0.9999999,
                                                                       -1.0000001,
                                                                       1e-3,
                                                                       -1e-3,
                                                                       1e-10,
                                                                       -1e-10,
                                                                       3.141592653589793,
                                                                       1.5707963267948966,
                                                                       -1.5707963267948966,
                                                                       2.718281828459045,
                                                                       10,
                                                                       -10,
                                                                       100.5,
                                                                       127,
                                                                       127.5,
                                                                       128,
                                                                       -128,
                                                                       -128.5,
                                                                       -129,
                                                                       255,
                                                                       255.5,
                                                                       256,
                                                                       1000,
                                                                       32767,
                                                                       32768,
                                                                       -32769,
                                                                       65504,
                                                                       65519,
                                                                       65520,
                                                                       65536,
                                                                       88.7,
                                                                       89,
                                                                       -87.5,
                                                                       -88,
                                                                       -104,
                                                                       16777217,
                                                                       709.5,
                                                                       710,
                                                                       -745,
                                                                       2147483647,
                                                                       2147483648,
                                                                       -2147483648.0,
                                                                       -2147483649.0,
                                                                       4294967295.0,
                                                                       4294967296.0,
                                                                       1e10,
                                                                       1e15,
                                                                       0x1p53,
                                                                       0x1p63,
                                                                       -0x1p63,
                                                                       0x1p64,
                                                                       1e19,
                                                                       1e30,
                                                                       -1e30,
                                                                       3.4028234663852886e38,
                                                                       -3.4028234663852886e38,
                                                                       3.4028236e38,
                                                                       1e100,
                                                                       1.7976931348623157e308,
                                                                       -1.7976931348623157e308,
                                                                       0x1p-126,
                                                                       -0x1p-126,
                                                                       0x1p-149,
                                                                       -0x1p-149,
                                                                       0x1p-127,
                                                                       0x1p-1022,
                                                                       0x1p-1074,
                                                                       0x1p-14,
                                                                       0x1p-24,
                                                                       kInf,
                                                                       -kInf,
                                                                       kNaN,
                                                                       -kNaN};
  return numbers;
}

const std::vector<uint64_t>& edge_codes(int bits) {
  static std::vector<uint64_t>& codes = *new std::vector<uint64_t>;
  codes = {0, 1, 2, 3, 4, 5, 7, 8, 10, 13};
  const uint64_t width = static_cast<uint64_t>(bits);
  for (uint64_t near : {width - 1, width, width + 1}) codes.push_back(near);
  for (int power : {bits - 2, bits - 1, bits / 2, bits / 2 - 1})
    for (int step : {-1, 0, 1})
      codes.push_back((uint64_t{1} << power) + static_cast<uint64_t>(step));
  for (uint64_t pattern : {0x5555555555555555ull, 0xaaaaaaaaaaaaaaaaull, 0x123456789abcdef0ull})
    codes.push_back(pattern);
  const size_t count = codes.size();
  for (size_t i = 0; i < count; ++i) codes.push_back(~codes[i] + 1);
  return codes;
}

Literal from_codes(PrimitiveType type, const std::vector<uint64_t>& codes) {
  Literal out = Literal::zeros(Shape::array(type, {static_cast<int64_t>(codes.size())}));
  for (size_t i = 0; i < codes.size(); ++i)
    put_bits(out, static_cast<int64_t>(i), stored(type, codes[i]), hlo::storage_bytes(type));
  return out;
}

// Codes of a type that is not complex.
std::vector<uint64_t> edge_codes_of(PrimitiveType type) {
  std::vector<uint64_t> codes;
  const int bits = hlo::type_bits(type);
  if (bits <= 8) {
    for (uint64_t code = 0; code < uint64_t{1} << bits; ++code) codes.push_back(code);
  } else if (is_float(type)) {
    for (double number : edge_numbers()) codes.push_back(code_of(type, number));
  } else {
    codes = edge_codes(bits);
  }
  return codes;
}

Literal complex_pairs(PrimitiveType type, const std::vector<double>& parts) {
  const int64_t count = static_cast<int64_t>(parts.size());
  Literal out = Literal::zeros(Shape::array(type, {count * count}));
  const PrimitiveType real = real_type(type);
  for (int64_t i = 0; i < count * count; ++i) {
    put_bits(out, 2 * i, code_of(real, parts[static_cast<size_t>(i / count)]),
             hlo::storage_bytes(real));
    put_bits(out, 2 * i + 1, code_of(real, parts[static_cast<size_t>(i % count)]),
             hlo::storage_bytes(real));
  }
  return out;
}

// All pairs of a selection of parts: zeros and ones of both signs (where the cuts are), where
// exponentials and their squares overflow, the ends of the range, and what is not finite.
Literal complex_edges(PrimitiveType type) {
  const bool wide = type == PrimitiveType::kC128;
  const double most = wide ? 1.7976931348623157e308 : 3.4028234663852886e38,
               least = wide ? 0x1p-1022 : 0x1p-126;
  const std::vector<double> parts = {0.0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.5,
                                     -0.5,
                                     -2,
                                     3.25,
                                     1e-3,
                                     -1e-20,
                                     1e18,
                                     0.8,
                                     0.6,
                                     -4,
                                     22,
                                     -22,
                                     89,
                                     -90,
                                     710.3,
                                     -800,
                                     most,
                                     -most,
                                     least,
                                     -least,
                                     kInf,
                                     -kInf,
                                     kNaN,
                                     1.5707963267948966,
                                     4e4,
                                     -1e9,
                                     wide ? 1e200 : 1e30,
                                     wide ? -1e-200 : -1e-30};
  return complex_pairs(type, parts);
}

double random_number(Fill fill, PrimitiveType type, Random& random) {
  if (fill == Fill::kNormal && is_float(type)) return (random.unit() - 0.5) * 8;
  return static_cast<double>(random.between(is_unsigned(type) ? 0 : -3, 3));
}

}  // namespace

const std::vector<PrimitiveType>& all_types() {
  static const std::vector<PrimitiveType>& types = *[] {
    auto* list = new std::vector<PrimitiveType>;
    for (int i = 0; i <= static_cast<int>(PrimitiveType::kC128); ++i)
      if (const PrimitiveType type = static_cast<PrimitiveType>(i);
          hlo::type_bits(type) > 1 || hlo::is_pred(type))
        list->push_back(type);
    return list;
  }();
  return types;
}

void set_number(Literal& literal, int64_t index, double value, double imaginary) {
  const PrimitiveType type = real_type(literal.type());
  const int width = hlo::storage_bytes(type);
  if (!is_complex(literal.type())) return put_bits(literal, index, code_of(type, value), width);
  put_bits(literal, 2 * index, code_of(type, value), width);
  put_bits(literal, 2 * index + 1, code_of(type, imaginary), width);
}

std::vector<double> numbers(const Literal& literal) {
  const PrimitiveType type = real_type(literal.type());
  const int64_t units = literal.element_count() * (is_complex(literal.type()) ? 2 : 1);
  std::vector<double> out(static_cast<size_t>(units));
  for (int64_t i = 0; i < units; ++i)
    out[static_cast<size_t>(i)] = number_of(type, get_bits(literal, i, hlo::storage_bytes(type)));
  return out;
}

Literal moderate_values(PrimitiveType type) {
  return complex_pairs(type, {0.0, 1, -1, 0.5, -0.5, -2, 3.25, 1e-3, 0.8, 0.6, -4, 22});
}

Literal edge_values(PrimitiveType type) {
  // Few enough for all pairs of them.
  const double most = type == PrimitiveType::kC128 ? 0x1.8p1023 : 0x1.8p127, least = 1 / most;
  if (is_complex(type))
    return complex_pairs(type, {0.0, -0.0, 1, -2, 0.8, 1e18, most, -least, kInf, -kInf, kNaN});
  return from_codes(type, edge_codes_of(type));
}

Literal dense_values(PrimitiveType type, Random& random, int64_t random_count) {
  if (is_complex(type)) return complex_edges(type);
  std::vector<uint64_t> codes = edge_codes_of(type);
  const int bits = hlo::type_bits(type);
  if (bits == 16)
    for (uint64_t code = 0; code < 65536; ++code) codes.push_back(code);
  for (int64_t i = 0; bits > 16 && i < random_count; ++i) {
    // Half over all exponents, half where functions have their bends.
    codes.push_back(is_float(type) && i % 2 == 0
                        ? code_of(type, std::ldexp(random.unit() - 0.5,
                                                   static_cast<int>(random.between(-8, 8))))
                        : random.bits());
  }
  return from_codes(type, codes);
}

Literal random_literal(const Shape& shape, Fill fill, Random& random) {
  Literal out = Literal::zeros(hlo::Shape::array(shape.element_type, shape.dimensions));
  const PrimitiveType type = real_type(shape.element_type);
  const int64_t units = shape.element_count() * (is_complex(shape.element_type) ? 2 : 1);
  const std::vector<uint64_t> edges = edge_codes_of(type);
  for (int64_t i = 0; i < units; ++i) {
    uint64_t code = code_of(type, random_number(fill, type, random));
    if (fill == Fill::kEdges) code = random.chance(80) ? random.of(edges) : random.bits();
    if (fill == Fill::kNormal && (is_integer(type) || hlo::is_pred(type)))
      code = random.chance(50) ? random.bits() >> random.below(64)
                               : ~(random.bits() >> random.below(64));
    if (hlo::is_pred(type)) code &= 1;
    put_bits(out, i, stored(type, code), hlo::storage_bytes(type));
  }
  return out;
}

}  // namespace hlocc::fuzz
