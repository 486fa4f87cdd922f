// Tokens of HLO text.
#include "import/text/cursor.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/text.h"

namespace hlocc::import {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; }
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Takes an escape sequence, the backslash gone, off the front of `text`.
char unescape(std::string_view& text) {
  const char c = text.front();
  text.remove_prefix(1);
  constexpr std::string_view letters = "abfnrtv", codes = "\a\b\f\n\r\t\v";
  if (const size_t at = letters.find(c); at != std::string_view::npos) return codes[at];
  int value = 0;
  if (c == 'x' || c == 'X') {
    for (int i = 0; i < 2 && !text.empty() && hex_digit(text.front()) >= 0;
         ++i, text.remove_prefix(1))
      value = value * 16 + hex_digit(text.front());
    return static_cast<char>(value);
  }
  if (c < '0' || c > '7') return c;
  value = c - '0';
  for (int i = 0; i < 2 && !text.empty() && text.front() >= '0' && text.front() <= '7';
       ++i, text.remove_prefix(1))
    value = value * 8 + (text.front() - '0');
  return static_cast<char>(value);
}

}  // namespace

std::string_view TextCursor::take(size_t count) {
  const std::string_view taken = text_.substr(at_, count);
  at_ += taken.size();
  return taken;
}

void TextCursor::skip_space() {
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) {
      ++at_;
    } else if (text_[at_] == '/' && character(1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_[at_] == '/' && character(1) == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

bool TextCursor::at_end() {
  skip_space();
  return at_ >= text_.size();
}

char TextCursor::peek() {
  skip_space();
  return character();
}

bool TextCursor::looking_at(std::string_view characters) {
  skip_space();
  return text_.substr(at_).starts_with(characters);
}

bool TextCursor::accept(std::string_view characters) {
  if (!looking_at(characters)) return false;
  at_ += characters.size();
  return true;
}

Status TextCursor::expect(std::string_view characters) {
  if (accept(characters)) return {};
  return expected(cat("'", characters, "'"));
}

std::string_view TextCursor::peek_word() {
  skip_space();
  if (!is_letter(character())) return {};
  size_t length = 1;
  while (is_word(character(length))) ++length;
  return text_.substr(at_, length);
}

std::string_view TextCursor::word() { return take(peek_word().size()); }

bool TextCursor::accept_word(std::string_view expected) {
  if (peek_word() != expected) return false;
  at_ += expected.size();
  return true;
}

Result<std::string> TextCursor::name() {
  if (accept("%")) {
    size_t length = 0;
    while (is_word(character(length))) ++length;
    if (length > 0) return std::string(take(length));
  } else if (!peek_word().empty()) {
    return std::string(word());
  }
  return expected("a name");
}

Result<int64_t> TextCursor::integer() {
  skip_space();
  const bool negative = character() == '-';
  uint64_t magnitude = 0;
  const char* begin = text_.data() + at_ + negative;
  const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), magnitude);
  if (end == begin) return expected("an integer");
  // Numbers beyond int64 wrap when they fit in uint64, as in XLA; a negative one must fit.
  if (failure != std::errc() || (negative && magnitude > uint64_t{1} << 63))
    return fail(DiagnosticKind::kSyntax, "the integer is out of range");
  at_ = static_cast<size_t>(end - text_.data());
  return static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
}

Result<double> TextCursor::number() {
  skip_space();
  double value = 0;
  const auto [end, failure] =
      std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (failure != std::errc()) return expected("a number");
  at_ = static_cast<size_t>(end - text_.data());
  return value;
}

Result<bool> TextCursor::boolean() {
  const std::string_view found = peek_word();
  if (found == "true" || found == "false") return word() == "true";
  if (accept("1")) return true;
  if (accept("0")) return false;
  return expected("true or false");
}

Result<std::string> TextCursor::quoted() {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return expected("a string");
  std::string_view rest = text_.substr(at_ + 1);
  std::string out;
  while (!rest.empty() && rest.front() != quote) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\')
      out += c;
    else if (!rest.empty())
      out += unescape(rest);
  }
  if (rest.empty()) return fail(DiagnosticKind::kSyntax, "the string has no end");
  at_ = text_.size() - rest.size() + 1;
  return out;
}

Result<std::string> TextCursor::braced() {
  if (peek() != '{') return expected("'{'");
  const size_t begin = at_;
  int64_t depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      HLOCC_TRY(quoted());
      continue;
    }
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    ++at_;
    if (depth == 0) return std::string(text_.substr(begin, at_ - begin));
  }
  at_ = begin;
  return fail(DiagnosticKind::kSyntax, "the brace is never closed");
}

std::string_view TextCursor::raw() { return until(" \t\r\n,)}]"); }

std::string_view TextCursor::until(std::string_view stops) {
  skip_space();
  return take(std::min(text_.find_first_of(stops, at_), text_.size()) - at_);
}

Status TextCursor::skip_value() {
  skip_space();
  const size_t begin = at_;
  int64_t depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      HLOCC_TRY(quoted());
      continue;
    }
    const bool opens = c == '{' || c == '[' || c == '(', closes = c == '}' || c == ']' || c == ')';
    if (depth == 0 && (closes || c == ',' || is_space(c))) break;
    depth += opens ? 1 : closes ? -1 : 0;
    ++at_;
  }
  if (at_ == begin) return expected("a value");
  if (depth == 0) return {};
  at_ = begin;
  return fail(DiagnosticKind::kSyntax, "the bracket is never closed");
}

Status TextCursor::skip_group() {
  skip_space();
  const size_t begin = at_;
  int64_t depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    depth += c == '{' || c == '[' || c == '(' ? 1 : c == '}' || c == ']' || c == ')' ? -1 : 0;
    if (depth <= 0) return {};
  }
  at_ = begin;
  return fail(DiagnosticKind::kSyntax, "the bracket is never closed");
}

int TextCursor::line() {
  const size_t at = std::min(at_, text_.size());
  if (at < counted_at_) counted_at_ = 0, line_ = 1;
  line_ += static_cast<int>(std::count(text_.begin() + static_cast<int64_t>(counted_at_),
                                       text_.begin() + static_cast<int64_t>(at), '\n'));
  counted_at_ = at;
  return line_;
}

Diagnostic TextCursor::fail(DiagnosticKind kind, std::string message) {
  return error(kind, std::move(message)).at({file_, line()});
}

Diagnostic TextCursor::expected(std::string_view what) {
  skip_space();
  std::string_view found = text_.substr(at_, 40);
  found = found.substr(0, found.find('\n'));
  return fail(DiagnosticKind::kSyntax, found.empty()
                                           ? cat("expected ", what, ", found the end")
                                           : cat("expected ", what, ", found '", found, "'"));
}

}  // namespace hlocc::import
