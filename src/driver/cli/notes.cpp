// See notes.h.
#include "driver/cli/notes.h"

#include <cstdio>

#include "driver/cli/terminal.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

void say(const CommandLine& line, const char* word, Colour colour, const std::string& text) {
  if (text.empty() || !wants_notes(line)) return;
  std::fputs(cat(coloured(word, colour), for_terminal(text), "\n").c_str(), stderr);
}

}  // namespace

bool wants_notes(const CommandLine& line) { return !line.json && !line.quiet; }

void say_note(const CommandLine& line, const std::string& text) {
  say(line, "note: ", Colour::kCyan, text);
}

void say_warning(const CommandLine& line, const std::string& text) {
  say(line, "warning: ", Colour::kMagenta, text);
}

}  // namespace hlocc::driver
