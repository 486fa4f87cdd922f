// See terminal.h.
#include "driver/cli/terminal.h"

#include <unistd.h>

#include <cstdlib>

#include "support/text.h"

namespace hlocc::driver {

std::FILE* terminal_of_user() {
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::string_view(kind) == "dumb" || ::isatty(STDERR_FILENO) == 0)
    return nullptr;
  return stderr;
}

bool has_colours() {
  const char* refused = std::getenv("NO_COLOR");
  return terminal_of_user() != nullptr && (refused == nullptr || *refused == '\0');
}

std::string coloured(std::string_view text, Colour colour) {
  static constexpr const char* codes[] = {"1", "1;31", "1;36", "1;35"};
  if (!has_colours()) return std::string(text);
  return cat("\033[", codes[static_cast<int>(colour)], "m", text, "\033[0m");
}

}  // namespace hlocc::driver
