// See source.h.
#include "import/stablehlo/source.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         c == '.' || c == '-';
}

// The first character behind the string that begins at `at`.
size_t string_end(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Takes an escape, its backslash gone, off the front.
char mlir_escape(std::string_view& rest) {
  const char c = rest[0];
  if (rest.size() > 1 && hex_value(c) >= 0 && hex_value(rest[1]) >= 0) {
    const int value = hex_value(c) * 16 + hex_value(rest[1]);
    rest.remove_prefix(2);
    return static_cast<char>(value);
  }
  rest.remove_prefix(1);
  return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

}  // namespace

Diagnostic Source::fail_at(size_t position, DiagnosticKind kind, std::string message) {
  cursor.rewind(position);
  return located_at(position, cursor.fail(kind, std::move(message)));
}

Diagnostic Source::located_at(size_t position, Diagnostic why) {
  position = std::min(position, text.size());
  const size_t line = text.substr(0, position).rfind('\n');
  const size_t column = line == std::string_view::npos ? position + 1 : position - line;
  cursor.rewind(position);
  why.location = cursor.fail(why.kind, {}).location;
  why.message += cat(" (column ", column, ")");
  return why;
}

Result<std::string_view> parse_value_name(Source& source) {
  HLOCC_TRY(source.cursor.expect("%"));
  const size_t begin = source.cursor.position();
  size_t end = begin;
  while (end < source.text.size() && is_name(source.text[end])) ++end;
  if (end == begin) return source.cursor.expected("the name of a value");
  source.cursor.rewind(end);
  return source.text.substr(begin, end - begin);
}

Result<std::string> parse_symbol(Source& source) {
  HLOCC_TRY(source.cursor.expect("@"));
  if (source.cursor.peek() == '"' && !source.cursor.looking_at("\"\"")) return parse_string(source);
  const size_t begin = source.cursor.position();
  size_t end = begin;
  while (end < source.text.size() && is_name(source.text[end])) ++end;
  if (end == begin) return source.cursor.expected("the name of a symbol");
  source.cursor.rewind(end);
  return std::string(source.text.substr(begin, end - begin));
}

Result<std::string> parse_string(Source& source) {
  if (source.cursor.peek() != '"') return source.cursor.expected("a string");
  const size_t begin = source.cursor.position(), end = string_end(source.text, begin);
  if (end < begin + 2 || source.text[end - 1] != '"')
    return source.cursor.fail(DiagnosticKind::kSyntax, "the string has no end");
  std::string_view rest = source.text.substr(begin + 1, end - begin - 2);
  std::string out;
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    out += c == '\\' && !rest.empty() ? mlir_escape(rest) : c;
  }
  source.cursor.rewind(end);
  return out;
}

Result<Attribute> skip_value(Source& source, std::string_view name, std::string_view stops) {
  source.cursor.skip_space();
  const std::string_view text = source.text;
  const size_t begin = source.cursor.position();
  const auto unclosed = [&](size_t at, std::string_view what) {
    return source.fail_at(at, DiagnosticKind::kSyntax, cat("the ", what, " is never closed"));
  };
  constexpr std::string_view kOpening = "{[(<", kClosing = "}])>";
  std::string open;  // what closes the open brackets
  size_t at = begin;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      const size_t end = string_end(text, at);
      if (end < at + 2 || text[end - 1] != '"') return unclosed(at, "string");
      at = end - 1;
      continue;
    }
    if (open.empty() && at > begin && stops.find(c) != std::string_view::npos) break;
    if (const size_t kind = kOpening.find(c); kind != std::string_view::npos) {
      open += kClosing[kind];
    } else if (kClosing.find(c) != std::string_view::npos) {
      // The arrow of a type closes nothing.
      if (c == '>' && at > begin && text[at - 1] == '-') continue;
      if (open.empty()) break;
      if (open.back() != c) return unclosed(begin, "bracket");
      open.pop_back();
    }
  }
  if (!open.empty()) return unclosed(begin, "bracket");
  if (at == begin) return source.cursor.expected("a value");
  source.cursor.rewind(at);
  while (at > begin && std::string_view(" \t\r\n").find(text[at - 1]) != std::string_view::npos)
    --at;
  return Attribute{name, begin, at};
}

Status parse_attributes(Source& source, std::string_view open, std::string_view close,
                        std::vector<Attribute>& out) {
  TextCursor& cursor = source.cursor;
  HLOCC_TRY(cursor.expect(open));
  while (!cursor.accept(close)) {
    cursor.skip_space();
    size_t begin = cursor.position(), end = begin;
    if (cursor.peek() == '"') {
      HLOCC_TRY(parse_string(source));
      end = cursor.position() - 1;
      ++begin;
    } else {
      while (end < source.text.size() && is_name(source.text[end])) ++end;
      if (end == begin) return cursor.expected("the name of an attribute");
      cursor.rewind(end);
    }
    const std::string_view name = source.text.substr(begin, end - begin);
    out.push_back({name, cursor.position(), cursor.position()});
    if (cursor.accept("=")) {
      HLOCC_TRY_ASSIGN(out.back(), skip_value(source, name, ","));
    }
    if (!cursor.accept(",") && !cursor.looking_at(close))
      return cursor.expected(cat("',' or '", close, "'"));
  }
  return {};
}

size_t resolve_alias(const Source& source, size_t position) {
  if (position >= source.text.size() || source.text[position] != '#') return position;
  size_t end = position + 1;
  while (end < source.text.size() && is_name(source.text[end])) ++end;
  const auto found = source.aliases.find(source.text.substr(position, end - position));
  return found == source.aliases.end() ? position : found->second;
}

}  // namespace hlocc::import::stablehlo
