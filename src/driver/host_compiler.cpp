// See host_compiler.h.
#include "driver/host_compiler.h"

#include <cstdlib>

#include "driver/child.h"

namespace hlocc::driver {
namespace {

ChildOutcome print_macros(std::vector<std::string> command) {
  for (const char* word : {"-dM", "-E", "-x", "c", "/dev/null"}) command.emplace_back(word);
  return run_program(command);
}

std::vector<std::string> find_compiler() {
  const char* named = std::getenv("CC");
  const std::string name = named != nullptr && *named != 0 ? named : "cc";
  for (const char* flag : {"-march=native", "-mcpu=native", ""}) {
    std::vector<std::string> command = {name};
    if (*flag != 0) command.emplace_back(flag);
    if (print_macros(command).finished) return command;
  }
  return {};
}

}  // namespace

const std::vector<std::string>& host_compiler() {
  static const std::vector<std::string>& found = *new std::vector<std::string>(find_compiler());
  return found;
}

std::string host_macros() {
  if (host_compiler().empty()) return "";
  const ChildOutcome printed = print_macros(host_compiler());
  return printed.finished ? printed.output : "";
}

}  // namespace hlocc::driver
