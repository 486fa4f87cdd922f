// See foreign_text.h.
#include "support/foreign_text.h"

#include <cstdint>
#include <cstdio>

namespace hlocc {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

unsigned char byte(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

// The code point of a sequence of `length` bytes.
uint32_t code_point(std::string_view text, size_t length) {
  if (length == 1) return byte(text, 0);
  uint32_t code = byte(text, 0) & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) code = code << 6 | (byte(text, i) & 0x3fu);
  return code;
}

// Controls, and the marks by which text runs the other way.
bool is_invisible(uint32_t code) {
  const bool is_control = (code < 0x20 && code != '\n' && code != '\t') ||
                          (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
  const bool turns = code == 0x61c || code == 0x200e || code == 0x200f ||
                     (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return is_control || turns;
}

// Calls visit(sequence, whether it may be shown) for each sequence, and for each byte that begins
// none.
template <typename Visit>
void for_each_sequence(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0)
      visit(text.substr(0, 1), false);
    else
      visit(text.substr(0, length), !is_invisible(code_point(text, length)));
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

void append_escapes(std::string& out, std::string_view bytes, const char* format) {
  for (const char c : bytes) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, format, static_cast<unsigned>(static_cast<uint8_t>(c)));
    out += escaped;
  }
}

std::string_view entity_of(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return "";
  }
}

}  // namespace

size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned char first = byte(text, 0);
  const size_t length = first < 0x80             ? 1
                        : (first & 0xe0) == 0xc0 ? 2
                        : (first & 0xf0) == 0xe0 ? 3
                        : (first & 0xf8) == 0xf0 ? 4
                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(text, i) & 0xc0) != 0x80) return 0;
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint32_t code = code_point(text, length);
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < kLeast[length] || code > 0x10ffff || is_surrogate ? 0 : length;
}

std::string for_terminal(std::string_view text) {
  std::string out;
  for_each_sequence(text, [&](std::string_view sequence, bool may_be_shown) {
    if (may_be_shown)
      out += sequence;
    else
      append_escapes(out, sequence, "\\x%02x");
  });
  return out;
}

std::string for_line(std::string_view text) {
  std::string out;
  for (const char c : for_terminal(text))
    if (c == '\n' || c == '\t')
      append_escapes(out, {&c, 1}, "\\x%02x");
    else
      out += c;
  return out;
}

std::string json_for_terminal(std::string_view json) {
  std::string out;
  for_each_sequence(json, [&](std::string_view sequence, bool may_be_shown) {
    char escaped[8];
    // All of them are of one word of 16 bits.
    std::snprintf(escaped, sizeof escaped, "\\u%04x",
                  static_cast<unsigned>(code_point(sequence, sequence.size())) & 0xffff);
    out += may_be_shown ? sequence : std::string_view(escaped);
  });
  return out;
}

std::string for_html(std::string_view text) {
  std::string out;
  for_each_sequence(text, [&](std::string_view sequence, bool may_be_shown) {
    const std::string_view entity = entity_of(sequence[0]);
    out += !may_be_shown ? kReplacement : entity.empty() ? sequence : entity;
  });
  return out;
}

std::string for_c_comment(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = c >= ' ' && c <= '~' && c != '\\';
    // "*/" ends a comment, "/*" in one is warned of, "??/" is a backslash.
    if ((c == '/' && out.ends_with('*')) || (c == '*' && out.ends_with('/')) ||
        (c == '/' && out.ends_with("??")))
      out += ' ';
    out += is_plain ? c : '?';
  }
  return out;
}

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?')
      out += {'\\', c};
    else if (c >= ' ' && c <= '~')
      out += c;
    else
      append_escapes(out, {&c, 1}, "\\%03o");
  }
  return out + '"';
}

}  // namespace hlocc
