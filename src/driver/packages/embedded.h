// Files of the sources that packages are made of, as the build put them into the tool: templates/
// of this folder, runtime_stub/, toolchains/, and LICENSE.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace hlocc::driver {

struct EmbeddedFile {
  std::string_view path, text;  // "templates/make/_package_.mk.in", "toolchains/boards/board.h"
};

std::span<const EmbeddedFile> embedded_files();
// The text of the file at that path, which there is.
std::string_view embedded_text(const std::string& path);
// A template's text, with those that it names by <%>partials/NAME%> in their places.
std::string template_text(std::string_view text);

}  // namespace hlocc::driver
