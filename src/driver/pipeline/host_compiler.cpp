// See host_compiler.h.
#include "driver/pipeline/host_compiler.h"

#include <cstdlib>

#include "driver/verify/child.h"

namespace hlocc::driver {
namespace {

ChildOutcome print_macros(std::vector<std::string> command) {
  for (const char* word : {"-dM", "-E", "-x", "c", "/dev/null"}) command.emplace_back(word);
  return run_program(command);
}

struct HostCompiler {
  std::vector<std::string> command;
  std::string macros;
};

// The first way to call it that it understands; asking tells its macros, too.
HostCompiler find_compiler() {
  const std::string name = compiler_name(std::getenv("CC"));
  for (const char* flag : {"-march=native", "-mcpu=native", ""}) {
    std::vector<std::string> command = {name};
    if (*flag != 0) command.emplace_back(flag);
    ChildOutcome printed = print_macros(command);
    if (printed.finished) return {std::move(command), std::move(printed.output)};
  }
  return {};
}

// Asked once a process: a model's compile asks for the target many times.
const HostCompiler& the_compiler() {
  static const HostCompiler& found = *new HostCompiler(find_compiler());
  return found;
}

}  // namespace

std::string compiler_name(const char* named) {
  return named != nullptr && *named != 0 ? named : "cc";
}

const std::vector<std::string>& host_compiler() { return the_compiler().command; }

const std::string& host_macros() { return the_compiler().macros; }

}  // namespace hlocc::driver
