// See embedded.h. CMake writes the files' texts into package_files.inc.
#include "driver/packages/embedded.h"

#include "support/check.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr EmbeddedFile kFiles[] = {
#include "package_files.inc"
};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

std::string_view embedded_text(const std::string& path) {
  for (const EmbeddedFile& file : kFiles)
    if (file.path == path) return file.text;
  HLOCC_CHECK(false, cat("the tool has the file ", path));
  return "";
}

std::string template_text(std::string_view text) {
  std::string out;
  constexpr std::string_view kOpen = "<%>", kClose = "%>\n";
  for (size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen)) {
    const size_t end = text.find(kClose, at);
    HLOCC_CHECK(end != std::string_view::npos, "a partial template is named on a line of its own");
    const std::string name(text.substr(at + kOpen.size(), end - at - kOpen.size()));
    out += text.substr(0, at);
    out += template_text(embedded_text("templates/" + name));
    text.remove_prefix(end + kClose.size());
  }
  out += text;
  return out;
}

}  // namespace hlocc::driver
