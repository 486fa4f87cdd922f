// See numbers.h.
#include "import/build/numbers.h"

#include <algorithm>
#include <cmath>

#include "hlo/small_float.h"

namespace hlocc::import {
namespace {

using hlo::Literal;
using hlo::PrimitiveType;

// The integer's low bytes, as they lie on a little-endian machine.
void put_integer(std::span<std::byte> out, int64_t value) {
  std::memcpy(out.data(), &value, out.size());
}

// The nearest that 64 bits hold: behind a failure everything is an integer, infinities, too.
int64_t whole_part(double value) {
  return std::isnan(value) ? 0 : static_cast<int64_t>(std::clamp(value, -0x1p63, 0x1p63 - 1024));
}

}  // namespace

Literal literal_of(PrimitiveType type, double value) {
  switch (type) {
    case PrimitiveType::kF32: return Literal::scalar(type, static_cast<float>(value));
    case PrimitiveType::kF64: return Literal::scalar(type, value);
    default: break;
  }
  if (const hlo::FloatFormat* format = hlo::small_float_format(type)) {
    Literal out = Literal::zeros(hlo::Shape::scalar(type));
    put_integer(out.mutable_bytes(), hlo::float_to_small(*format, value));
    return out;
  }
  return literal_of(type, {whole_part(value)}, {});
}

Literal literal_of(PrimitiveType type, const std::vector<int64_t>& values,
                   const hlo::Dimensions& sizes) {
  Literal out = Literal::zeros(hlo::Shape::array(type, sizes));
  const auto width = static_cast<size_t>(hlo::storage_bytes(type));
  const std::span<std::byte> bytes = out.mutable_bytes();
  HLOCC_CHECK(bytes.size() == values.size() * width, "numbers of another count than their sizes");
  for (size_t i = 0; i < values.size(); ++i)
    put_integer(bytes.subspan(i * width, width), values[i]);
  return out;
}

Literal literal_of_reals(PrimitiveType type, const std::vector<double>& values,
                         const hlo::Dimensions& sizes) {
  if (type == PrimitiveType::kF64) return Literal::array<double>(type, sizes, values);
  const std::vector<float> rounded(values.begin(), values.end());
  return Literal::array<float>(type, sizes, rounded);
}

std::optional<std::vector<double>> reals_of(const Literal& literal) {
  const auto as_doubles = [](const auto& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  if (literal.type() == PrimitiveType::kF32) return as_doubles(literal.data<float>());
  if (literal.type() == PrimitiveType::kF64) return as_doubles(literal.data<double>());
  if (literal.type() != PrimitiveType::kF16 && literal.type() != PrimitiveType::kBF16)
    return std::nullopt;
  std::vector<double> out;
  for (const uint16_t code : literal.data<uint16_t>())
    out.push_back(hlo::small_to_float(*hlo::small_float_format(literal.type()), code));
  return out;
}

std::vector<int64_t> integers_of(const Literal& literal) {
  std::vector<int64_t> out(static_cast<size_t>(literal.element_count()));
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = hlo::integer_at(literal, static_cast<int64_t>(i));
  return out;
}

std::vector<std::byte> unpacked_nibbles(std::span<const std::byte> packed, size_t count,
                                        bool is_signed) {
  std::vector<std::byte> out(count);
  for (size_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(packed[i / 2]);
    const unsigned nibble = i % 2 == 0 ? byte & 15 : byte >> 4;
    out[i] = static_cast<std::byte>(is_signed && nibble > 7 ? nibble | 0xf0 : nibble);
  }
  return out;
}

}  // namespace hlocc::import
