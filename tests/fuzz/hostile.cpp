// See hostile.h. Floats are made of their fields, so that every format has all of them.
#include "fuzz/hostile.h"

#include <cstring>

namespace hlocc::fuzz {
namespace {

struct Fields {
  int exponent = 0, mantissa = 0;  // bits
};

// Of IEEE's layouts, where an exponent of ones is infinity or NaN; of narrower floats edge values
// are all codes.
Fields fields_of(PrimitiveType type) {
  if (type == PrimitiveType::kF64) return {11, 52};
  if (type == PrimitiveType::kF32) return {8, 23};
  if (type == PrimitiveType::kF16) return {5, 10};
  if (type == PrimitiveType::kBF16) return {8, 7};
  return {};
}

uint64_t hostile_float(const Fields& f, Random& random) {
  const uint64_t ones = ((uint64_t{1} << f.exponent) - 1) << f.mantissa,
                 quiet = uint64_t{1} << (f.mantissa - 1), least = uint64_t{1} << f.mantissa;
  const uint64_t payload = 1 + static_cast<uint64_t>(random.below(static_cast<int64_t>(quiet) - 1));
  const std::vector<uint64_t> magnitudes = {
      0,
      1,
      payload,
      least - 1,  // zero, below the normal ones
      least,
      ones - 1,
      ones,
      ones | quiet,  // normal, infinity, the usual NaN
      ones | 1,
      ones | payload,
      ones | quiet | payload  // signalling, and with a payload
  };
  return random.of(magnitudes) | (random.chance(50) ? least << f.exponent : 0);
}

uint64_t hostile_integer(int bits, Random& random) {
  const uint64_t half = uint64_t{1} << (bits - 1);
  const std::vector<uint64_t> codes = {half, half - 1, half + 1, 0, ~uint64_t{0}, ~uint64_t{1}, 1};
  return random.of(codes);
}

void change(Literal& value, Random& random) {
  const PrimitiveType type = real_type(value.type());
  const Fields fields = fields_of(type);
  const bool is_number = hlo::is_integer(type) && hlo::type_bits(type) >= 8;
  if (fields.exponent == 0 && !is_number) return;
  const int64_t units = value.element_count() * (is_complex(value.type()) ? 2 : 1);
  for (int64_t i = 0; i < units; ++i) {
    if (!random.chance(33)) continue;
    const uint64_t code =
        is_number ? hostile_integer(hlo::type_bits(type), random) : hostile_float(fields, random);
    const size_t width = static_cast<size_t>(hlo::storage_bytes(type));
    std::memcpy(value.mutable_bytes().data() + static_cast<size_t>(i) * width, &code, width);
  }
}

}  // namespace

void make_hostile(Program& program, uint64_t seed) {
  Random random(seed ^ 0x686f7374696c65);
  for (Literal& argument : program.arguments)
    if (!argument.is_tuple()) change(argument, random);
}

}  // namespace hlocc::fuzz
