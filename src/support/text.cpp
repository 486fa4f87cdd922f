// Splitting, and the spelling of names in generated code.
#include "support/text.h"

#include <algorithm>
#include <cctype>

namespace hlocc {
namespace {
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return is_upper(c) ? char(c - 'A' + 'a') : c; }
char upper(char c) { return is_lower(c) ? char(c - 'a' + 'A') : c; }
}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] != separator) continue;
    parts.emplace_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return parts;
}

bool is_c_identifier(std::string_view text) {
  if (text.empty() || is_digit(text[0])) return false;
  for (char c : text)
    if (!is_word(c)) return false;
  return true;
}

std::string to_c_identifier(std::string_view text) {
  std::string out;
  if (text.empty() || is_digit(text[0])) out += '_';
  for (char c : text) out += is_word(c) ? c : '_';
  return out;
}

std::string to_snake_case(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts_word =
        i > 0 && is_upper(text[i]) && text[i - 1] != '_' &&
        (!is_upper(text[i - 1]) || (i + 1 < text.size() && is_lower(text[i + 1])));
    if (starts_word) out += '_';
    out += lower(text[i]);
  }
  return out;
}

std::string to_camel_case(std::string_view text) {
  std::string out;
  bool start = true;
  for (char c : text) {
    if (c == '_') {
      start = true;
      continue;
    }
    out += start ? upper(c) : c;
    start = false;
  }
  return out.empty() || is_digit(out[0]) ? "_" + out : out;
}

std::string to_upper(std::string_view text) {
  std::string out;
  for (char c : text) out += upper(c);
  return out;
}

std::string printable_end(std::string_view text, size_t most) {
  std::string out(text.substr(text.size() - std::min(text.size(), most)));
  for (char& c : out)
    if (c < ' ' || c > '~') c = ' ';
  out.resize(out.find_last_not_of(' ') + 1);
  return out;
}

}  // namespace hlocc
