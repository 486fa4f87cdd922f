// Conversion between stored codes and values; the only place of the interpreter that knows small
// floats.
#include "interpreter/values.h"

#include <array>

namespace hlocc::interpreter {
namespace {

// The 256 values of each 8-bit (or narrower) format, indexed by type.
using DecodeTables = std::array<std::vector<float>, 64>;
const std::vector<float>& decode_table(PrimitiveType type) {
  static const DecodeTables tables = [] {
    DecodeTables all;
    for (size_t t = 0; t <= static_cast<size_t>(PrimitiveType::kBF16); ++t) {
      const hlo::FloatFormat* format = hlo::small_float_format(static_cast<PrimitiveType>(t));
      if (!format || format->bits() > 8) continue;
      for (uint32_t code = 0; code < 256; ++code)
        all[t].push_back(hlo::small_to_float(*format, code));
    }
    return all;
  }();
  return tables[static_cast<size_t>(type)];
}

template <typename Code>
void encode(const hlo::FloatFormat& format, const float* values, std::byte* codes, int64_t count) {
  Code* out = reinterpret_cast<Code*>(codes);
  for (int64_t i = 0; i < count; ++i)
    out[i] = static_cast<Code>(hlo::float_to_small(format, values[i]));
}

}  // namespace

int value_bytes(PrimitiveType type) {
  return visit_value_type(
      type, []<typename V>(std::type_identity<V>) { return static_cast<int>(sizeof(V)); });
}

void decode_small(PrimitiveType type, const std::byte* codes, float* values, int64_t count) {
  if (hlo::storage_bytes(type) == 1) {
    const std::vector<float>& table = decode_table(type);
    for (int64_t i = 0; i < count; ++i) values[i] = table[static_cast<uint8_t>(codes[i])];
    return;
  }
  const hlo::FloatFormat& format = *hlo::small_float_format(type);
  const uint16_t* in = reinterpret_cast<const uint16_t*>(codes);
  for (int64_t i = 0; i < count; ++i) values[i] = hlo::small_to_float(format, in[i]);
}

void encode_small(PrimitiveType type, const float* values, std::byte* codes, int64_t count) {
  const hlo::FloatFormat& format = *hlo::small_float_format(type);
  if (hlo::storage_bytes(type) == 1) return encode<uint8_t>(format, values, codes, count);
  encode<uint16_t>(format, values, codes, count);
}

void settle(PrimitiveType type, void* values, int64_t count) {
  if (const hlo::FloatFormat* format = hlo::small_float_format(type)) {
    float* v = static_cast<float*>(values);
    for (int64_t i = 0; i < count; ++i) v[i] = hlo::round_to_small(*format, v[i]);
    return;
  }
  const int bits = hlo::type_bits(type);
  if (!hlo::is_integer(type) || bits >= 8) return;
  const auto wrap = [&](auto* v) {
    for (int64_t i = 0; i < count; ++i) v[i] = wrap_to(v[i], bits);
  };
  if (hlo::is_signed(type)) return wrap(static_cast<int8_t*>(values));
  wrap(static_cast<uint8_t*>(values));
}

ElementAccess::ElementAccess(PrimitiveType type)
    : format_(hlo::small_float_format(type)), width_(hlo::storage_bytes(type)) {}

void ElementAccess::load(const std::byte* storage, int64_t index, void* slot) const {
  const std::byte* at = storage + index * width_;
  if (!format_) {
    std::memcpy(slot, at, width_);
    return;
  }
  uint16_t code = static_cast<uint8_t>(at[0]);
  if (width_ == 2) std::memcpy(&code, at, 2);
  const float value = hlo::small_to_float(*format_, code);
  std::memcpy(slot, &value, sizeof value);
}

void ElementAccess::store(std::byte* storage, int64_t index, const void* slot) const {
  std::byte* at = storage + index * width_;
  if (!format_) {
    std::memcpy(at, slot, width_);
    return;
  }
  float value;
  std::memcpy(&value, slot, sizeof value);
  const uint16_t code = static_cast<uint16_t>(hlo::float_to_small(*format_, value));
  if (width_ == 2) {
    std::memcpy(at, &code, 2);
  } else {
    at[0] = static_cast<std::byte>(code);
  }
}

}  // namespace hlocc::interpreter
