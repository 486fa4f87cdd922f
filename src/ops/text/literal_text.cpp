// Numbers by type class; literals by walking the dimensions.
#include "ops/text/literal_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "hlo/small_float.h"
#include "support/text.h"

namespace hlocc::ops {
namespace {
using hlo::FloatFormat;
using hlo::Literal;
using hlo::NanStyle;
using hlo::PrimitiveType;

// f32 and f64 as rows like those of the small formats: only what NaN payloads need.
struct NanBits {
  int mantissa_bits;
  uint64_t exponent;  // in place
  uint64_t sign;
  bool has_payload;
  uint64_t quiet;  // the NaN that "nan" stands for; 0: there is none

  uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
};

NanBits nan_bits(PrimitiveType type) {
  if (type == PrimitiveType::kF32) return {23, 0x7f800000, 0x80000000, true, 0x7fc00000};
  if (type == PrimitiveType::kF64)
    return {52, 0x7ff0000000000000, 0x8000000000000000, true, 0x7ff8000000000000};
  const FloatFormat& f = *hlo::small_float_format(type);
  return {f.mantissa_bits, uint64_t{f.exponent_mask()} << f.mantissa_bits,
          f.nan == NanStyle::kNegativeZero ? 0 : f.sign_mask(), f.nan == NanStyle::kIeee,
          f.nan == NanStyle::kNone ? 0 : f.quiet_nan()};
}

uint64_t load(const std::byte* element, PrimitiveType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, static_cast<size_t>(hlo::storage_bytes(type)));
  return bits;
}
void store(std::byte* element, PrimitiveType type, uint64_t bits) {
  std::memcpy(element, &bits, static_cast<size_t>(hlo::storage_bytes(type)));
}

template <typename T>
void append_shortest(std::string& out, T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end.ptr);
}

// The fewest digits that round to the same code of a small format.
void append_small(std::string& out, const FloatFormat& format, uint32_t code) {
  const float value = hlo::small_to_float(format, code);
  char buffer[32];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, static_cast<double>(value));
    if (hlo::float_to_small(format, std::strtod(buffer, nullptr)) == code) break;
  }
  out += buffer;
}

double to_double(PrimitiveType type, uint64_t bits) {
  if (type == PrimitiveType::kF64) return std::bit_cast<double>(bits);
  if (type == PrimitiveType::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return hlo::small_to_float(*hlo::small_float_format(type), static_cast<uint32_t>(bits));
}

void append_nan(std::string& out, PrimitiveType type, uint64_t bits) {
  const NanBits nan = nan_bits(type);
  if (bits & nan.sign) out += '-';
  out += "nan";
  const uint64_t payload = bits & nan.mantissa_mask();
  if (!nan.has_payload || payload == (nan.quiet & nan.mantissa_mask())) return;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "(0x%llx)", static_cast<unsigned long long>(payload));
  out += buffer;
}

void append_float(std::string& out, PrimitiveType type, uint64_t bits) {
  const double value = to_double(type, bits);
  if (std::isnan(value)) return append_nan(out, type, bits);
  if (std::isinf(value)) return append_text(out, value < 0 ? "-inf" : "inf");
  if (type == PrimitiveType::kF64) return append_shortest(out, value);
  if (type == PrimitiveType::kF32) return append_shortest(out, static_cast<float>(value));
  append_small(out, *hlo::small_float_format(type), static_cast<uint32_t>(bits));
}

// "nan" or "nan(0x1234)", the sign taken off already.
bool parse_nan(std::string_view text, PrimitiveType type, bool negative, std::byte* element) {
  const NanBits nan = nan_bits(type);
  uint64_t bits = nan.quiet;
  if (nan.quiet == 0) return false;
  text.remove_prefix(3);
  if (!text.empty()) {
    uint64_t payload = 0;
    if (!text.starts_with("(0x") || !text.ends_with(")")) return false;
    text = text.substr(3, text.size() - 4);
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), payload, 16);
    if (failure != std::errc() || end != text.data() + text.size()) return false;
    if (nan.has_payload) bits = nan.exponent | (payload & nan.mantissa_mask());
    if (nan.has_payload && (payload & nan.mantissa_mask()) == 0) return false;
  }
  store(element, type, bits | (negative ? nan.sign : 0));
  return true;
}

template <typename T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size();
}

// from_chars reports underflow like overflow; strtod gives the nearest (denormal or zero) value
// then.
bool parse_double(std::string_view text, double& value) {
  if (parse_whole(text, value)) return true;
  char* end = nullptr;
  const std::string copy(text);
  value = std::strtod(copy.c_str(), &end);
  return !copy.empty() && end == copy.c_str() + copy.size() && std::isfinite(value) &&
         std::fabs(value) < 1;
}

bool parse_finite(std::string_view text, PrimitiveType type, std::byte* element) {
  double value = 0;
  if (type == PrimitiveType::kF32) {
    float exact = 0;
    if (parse_whole(text, exact)) return store(element, type, std::bit_cast<uint32_t>(exact)), true;
  }
  if (!parse_double(text, value)) return false;
  if (type == PrimitiveType::kF64)
    return store(element, type, std::bit_cast<uint64_t>(value)), true;
  if (type == PrimitiveType::kF32) {
    const float rounded = static_cast<float>(value);
    return store(element, type, std::bit_cast<uint32_t>(rounded)), std::isfinite(rounded);
  }
  const FloatFormat& format = *hlo::small_float_format(type);
  const uint32_t code = hlo::float_to_small(format, value);
  store(element, type, code);
  const float back = hlo::small_to_float(format, code);
  // Formats without infinity and NaN saturate: that is out of range too, half an ulp beyond the
  // largest value.
  const float largest = hlo::small_to_float(format, format.max_finite());
  return std::isfinite(back) &&
         (std::fabs(back) < largest ||
          std::fabs(value) <= largest * (1 + 0.5 / (1 << format.mantissa_bits)));
}

bool parse_float(std::string_view text, PrimitiveType type, std::byte* element) {
  const bool negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(negative);
  if (magnitude.starts_with("nan")) return parse_nan(magnitude, type, negative, element);
  if (magnitude == "inf") {
    const FloatFormat* format = hlo::small_float_format(type);
    if (format && !format->has_infinity) return false;
    const NanBits nan = nan_bits(type);
    store(element, type, nan.exponent | (negative ? nan.sign : 0));
    return true;
  }
  // strtod and from_chars know hexadecimal numbers and more words; HLO text does not.
  if (magnitude.empty() || (magnitude[0] != '.' && (magnitude[0] < '0' || magnitude[0] > '9')))
    return false;
  if (magnitude.find_first_of("xX") != std::string_view::npos) return false;
  return parse_finite(text, type, element);
}

// Non-negative numbers may use the whole unsigned range of 64 bits and wrap, as in XLA.
bool parse_integer(std::string_view text, PrimitiveType type, std::byte* element) {
  const int bits = hlo::type_bits(type);
  uint64_t magnitude = 0;
  const bool negative = text.starts_with('-');
  if (!parse_whole(text.substr(negative), magnitude)) return false;
  if (hlo::is_unsigned(type)) {
    if (negative && magnitude != 0) return false;
    if (bits < 64 && magnitude >> bits != 0) return false;
  } else if (bits < 64 || negative) {
    const uint64_t most = (uint64_t{1} << (bits - 1)) - (negative ? 0 : 1);
    if (magnitude > most) return false;
  }
  store(element, type, negative ? 0 - magnitude : magnitude);
  return true;
}

bool parse_pred(std::string_view text, std::byte* element) {
  const bool value = text == "true" || text == "1";
  if (!value && text != "false" && text != "0") return false;
  *element = std::byte{value};
  return true;
}

// --- literals ---
void append_element(std::string& out, const Literal& literal, int64_t index) {
  const PrimitiveType type = literal.type();
  const std::byte* element = literal.bytes().data() + index * hlo::storage_bytes(type);
  if (!hlo::is_complex(type)) return append_number(out, type, element);
  const PrimitiveType part = hlo::real_type(type);
  out += '(';
  append_number(out, part, element);
  out += ", ";
  append_number(out, part, element + hlo::storage_bytes(part));
  out += ')';
}

// Elements of dimension d and below, from `index` on.
void append_nested_dimension(std::string& out, const Literal& literal, size_t d, int64_t& index) {
  const hlo::Dimensions& sizes = literal.shape().dimensions;
  if (d == sizes.size()) return append_element(out, literal, index++);
  out += d + 1 < sizes.size() ? "{ " : "{";
  for (int64_t i = 0; i < sizes[d]; ++i) {
    if (i > 0) out += ", ";
    append_nested_dimension(out, literal, d + 1, index);
  }
  out += d + 1 < sizes.size() ? " }" : "}";
}

// An empty array may have any number of empty rows; more than a few are not printed.
bool has_too_many_rows(const hlo::Shape& shape) {
  int64_t rows = 1;
  for (int64_t size : shape.dimensions) {
    if (size == 0) return rows > 4096;
    rows *= size;
  }
  return false;
}

}  // namespace

void append_number(std::string& out, PrimitiveType type, const std::byte* element) {
  const uint64_t bits = load(element, type);
  if (hlo::is_pred(type)) return append_text(out, bits != 0);
  if (hlo::is_float(type)) return append_float(out, type, bits);
  if (hlo::is_unsigned(type)) return append_text(out, bits);
  const int unused = 64 - 8 * hlo::storage_bytes(type);
  append_text(out, static_cast<int64_t>(bits << unused) >> unused);
}

bool parse_number(std::string_view text, PrimitiveType type, std::byte* element) {
  if (hlo::is_pred(type)) return parse_pred(text, element);
  return hlo::is_float(type) ? parse_float(text, type, element)
                             : parse_integer(text, type, element);
}

void append_literal(std::string& out, const Literal& literal, int64_t max_elements) {
  if (literal.shape().is_token()) return append_text(out, "token[]");
  if (literal.is_tuple()) {
    out += "( ";
    for (size_t i = 0; i < literal.elements().size(); ++i) {
      if (i > 0) out += ", ";
      append_literal(out, literal.elements()[i], max_elements);
    }
    return append_text(out, " )");
  }
  if (max_elements >= 0 && literal.element_count() > max_elements) return append_text(out, "{...}");
  if (has_too_many_rows(literal.shape())) return append_text(out, "{}");
  int64_t index = 0;
  append_nested_dimension(out, literal, 0, index);
}

}  // namespace hlocc::ops
