// command_pages man|bash|zsh|fish|markdown: writes that page to the standard output. Run when hlocc
// is built, for what is installed.
#include <cstdio>
#include <string>

#include "driver/cli/command_pages.h"
#include "driver/cli/output.h"

int main(int argc, char** argv) {
  const std::string page = hlocc::driver::command_page(argc == 2 ? argv[1] : "");
  if (page.empty()) {
    std::fputs("usage: command_pages man|bash|zsh|fish|markdown\n", stderr);
    return 2;
  }
  hlocc::driver::print_program(page);
  return hlocc::driver::finish_output(0, false);
}
