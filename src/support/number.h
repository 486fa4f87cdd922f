// Numbers in texts, read without exceptions.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlocc {

// The integer that the whole text is, if it is one of 64 bits.
inline std::optional<int64_t> to_integer(std::string_view text) {
  int64_t number = 0;
  const char* last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, number);
  if (failure != std::errc() || end != last) return std::nullopt;
  return number;
}

// The same for what is counted: an int that is not negative.
inline std::optional<int> to_count(std::string_view text) {
  const std::optional<int64_t> number = to_integer(text);
  if (!number || *number < 0 || *number > INT32_MAX) return std::nullopt;
  return static_cast<int>(*number);
}

// The same for a number with a fraction or an exponent; "inf" and "nan" are such numbers.
inline std::optional<double> to_real(std::string_view text) {
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, number);
  if (failure != std::errc() || end != last) return std::nullopt;
  return number;
}

}  // namespace hlocc
