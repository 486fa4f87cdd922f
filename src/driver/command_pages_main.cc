// command_pages man|bash|zsh: writes that page to the standard output. Run when hlocc is built, for
// what is installed.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string_view>

#include "driver/command_pages.h"
#include "driver/command_tree.h"

int main(int argc, char** argv) {
  using namespace hlocc::driver;
  const std::string_view kind = argc == 2 ? argv[1] : "";
  CommandLine line;
  CommandTexts texts;
  CLI::App app;
  build_command_tree(app, line, texts);
  std::string page;
  if (kind == "man") page = man_page(app);
  if (kind == "bash") page = bash_completion(app);
  if (kind == "zsh") page = zsh_completion(app);
  if (page.empty()) {
    std::fputs("usage: command_pages man|bash|zsh\n", stderr);
    return 2;
  }
  return std::fputs(page.c_str(), stdout) < 0;
}
