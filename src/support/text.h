// Small text helpers: concatenation, joining, identifiers. Nothing here knows HLO.
#pragma once
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlocc {

inline void append_text(std::string& out, std::string_view text) { out += text; }
inline void append_text(std::string& out, char c) { out += c; }
// A template, so that a string literal does not decay to a pointer and become "true".
template <std::same_as<bool> T>
void append_text(std::string& out, T b) {
  out += b ? "true" : "false";
}
template <std::integral T>
requires(!std::same_as<T, char> && !std::same_as<T, bool>) void append_text(std::string& out,
                                                                            T number) {
  out += std::to_string(number);
}

// cat("pad ", 3, " of ", name): everything one after the other.
template <typename... Parts>
std::string cat(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

// join({1, 2, 3}, ",") is "1,2,3"; works for numbers and strings.
template <typename Range>
std::string join(const Range& items, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += separator;
    first = false;
    append_text(out, item);
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator);

// [A-Za-z_][A-Za-z0-9_]*
bool is_c_identifier(std::string_view text);
// Every other character becomes '_', a leading digit gets one in front, empty becomes "_".
std::string to_c_identifier(std::string_view text);
// TinyGpt -> tiny_gpt, KWSNet -> kws_net; text that is snake case already stays.
std::string to_snake_case(std::string_view text);
// kws_dscnn -> KwsDscnn.
std::string to_camel_case(std::string_view text);
std::string to_upper(std::string_view text);
// The last `most` characters, with blanks for what is not printable ASCII.
std::string printable_end(std::string_view text, size_t most);

}  // namespace hlocc
