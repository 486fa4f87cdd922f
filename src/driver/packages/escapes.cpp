// See escapes.h.
#include "driver/packages/escapes.h"

#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// All of them stand on one line: controls, line breaks and what is no UTF-8 are written as \xNN
// first.
std::string on_one_line(std::string_view text) { return for_line(text); }

// `escape` in front of each character of `special`.
std::string escaped_by(std::string_view escape, std::string_view special, std::string_view text) {
  std::string out;
  for (const char c : for_line(text)) {
    if (special.find(c) != std::string_view::npos) out += escape;
    out += c;
  }
  return out;
}

std::string in_quotes(std::string_view text) { return escaped_by("\\", "\"\\", text); }
std::string in_cmake(std::string_view text) { return escaped_by("\\", "\"\\$;@", text); }
std::string in_meson(std::string_view text) { return escaped_by("\\", "'\\", text); }
std::string in_markdown(std::string_view text) { return escaped_by("\\", "\\`*_[]<>#|~", text); }
std::string in_xml(std::string_view text) { return for_html(for_line(text)); }

// make and pkg-config: what begins a variable or a comment.
std::string in_make(std::string_view text) {
  std::string out;
  for (const char c : for_line(text)) out += c == '$' ? "$$" : c == '#' ? "\\#" : std::string(1, c);
  return out;
}

// A prompt cannot hold the beginning of a macro.
std::string in_kconfig(std::string_view text) {
  std::string out = in_quotes(text);
  std::erase(out, '$');
  return out;
}

struct TextKind {
  std::string_view pattern;
  Escape escape;
};
constexpr TextKind kKinds[] = {
#define HLOCC_TEXT_KIND(pattern, escape) {pattern, escape},
#include "driver/packages/escapes.def"
};

}  // namespace

Escape escape_for(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const TextKind& kind : kKinds)
    if (name.ends_with(kind.pattern)) return kind.escape;
  return on_one_line;
}

}  // namespace hlocc::driver
