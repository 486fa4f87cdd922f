// See command_pages.h; the pages have a file each.
#include "driver/cli/command_pages.h"

#include <CLI/CLI.hpp>

#include "driver/cli/command_tree.h"

namespace hlocc::driver {

std::string command_page(std::string_view kind) {
  CommandLine line;
  CommandTexts texts;
  CLI::App app;
  build_command_tree(app, line, texts);
  if (kind == "man") return man_page(app);
  if (kind == "bash") return bash_completion(app);
  if (kind == "zsh") return zsh_completion(app);
  if (kind == "fish") return fish_completion(app);
  if (kind == "markdown") return markdown_page(app);
  return "";
}

}  // namespace hlocc::driver
