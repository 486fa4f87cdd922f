// Floats lie in [0.5, 2), integers are small and not negative: an index, a divisor or a variance
// among them is a sound one.
#include "import/elided.h"

#include <algorithm>

#include "hlo/small_float.h"
#include "support/budget.h"
#include "support/split_mix.h"

namespace hlocc::import {
namespace {

using hlo::Literal;
using hlo::PrimitiveType;

template <typename T>
void fill(Literal& literal, SplitMix64& numbers, T (*number)(PrimitiveType, uint64_t)) {
  const std::span<std::byte> bytes = literal.mutable_bytes();
  const PrimitiveType type = hlo::real_type(literal.type());
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    const T value = number(type, numbers.next());
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
}

double in_range(uint64_t bits) { return 0.5 + 1.5 * 0x1p-53 * static_cast<double>(bits >> 11); }

template <typename T>
T integer(PrimitiveType type, uint64_t bits) {
  const int width = hlo::type_bits(type);
  const int positive = hlo::is_signed(type) ? width - 1 : width;
  return static_cast<T>(bits >> 32 & ((uint64_t{1} << std::min(positive, 3)) - 1));
}

template <typename T>
T small_float(PrimitiveType type, uint64_t bits) {
  return static_cast<T>(hlo::float_to_small(*hlo::small_float_format(type), in_range(bits)));
}

void fill(Literal& literal, SplitMix64& numbers) {
  const PrimitiveType type = hlo::real_type(literal.type());
  const int bytes = hlo::storage_bytes(type);
  if (type == PrimitiveType::kF64)
    return fill<double>(literal, numbers,
                        [](PrimitiveType, uint64_t bits) { return in_range(bits); });
  if (type == PrimitiveType::kF32)
    return fill<float>(literal, numbers, [](PrimitiveType, uint64_t bits) {
      return static_cast<float>(in_range(bits));
    });
  if (hlo::is_float(type))
    return bytes == 1 ? fill<uint8_t>(literal, numbers, small_float)
                      : fill<uint16_t>(literal, numbers, small_float);
  switch (bytes) {
    case 1: return fill<uint8_t>(literal, numbers, integer);
    case 2: return fill<uint16_t>(literal, numbers, integer);
    case 4: return fill<uint32_t>(literal, numbers, integer);
    default: return fill<uint64_t>(literal, numbers, integer);
  }
}

Literal filled(const hlo::Shape& shape, SplitMix64& numbers) {
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const hlo::Shape& element : shape.tuple) elements.push_back(filled(element, numbers));
    Literal literal = Literal::make_tuple(std::move(elements));
    literal.set_shape(shape);
    return literal;
  }
  if (!shape.is_array()) return Literal::token();
  Literal literal = Literal::zeros(shape);
  fill(literal, numbers);
  return literal;
}

}  // namespace

Result<std::optional<Literal>> stand_in(const hlo::Shape& shape, Elided& elided) {
  std::optional<Literal> out;
  if (!elided.allowed) return out;
  int64_t bytes = 0;
  for (const hlo::Shape& leaf : hlo::leaf_shapes(shape)) {
    // Unbounded sizes are refused elsewhere.
    for (const int64_t size : leaf.dimensions)
      if (size < 0) return out;
    bytes += leaf.byte_size();
    if (elided.bytes + bytes > kMaxElidedBytes) return out;
  }
  elided.bytes += bytes;
  HLOCC_TRY(
      charge_memory(bytes, [] { return "what stands for constants that the file leaves out"; }));
  SplitMix64 numbers(static_cast<uint64_t>(++elided.count) << 40);
  out = filled(shape, numbers);
  return out;
}

}  // namespace hlocc::import
