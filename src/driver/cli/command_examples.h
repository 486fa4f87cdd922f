// Command lines that show what the verbs are for: rows of command_examples.def.
#pragma once
#include <span>
#include <string_view>

namespace hlocc::driver {

struct CommandExample {
  std::string_view verb, line, what;
};

inline std::span<const CommandExample> command_examples() {
  static constexpr CommandExample rows[] = {
#define HLOCC_EXAMPLE(verb, line, what) {#verb, line, what},
#include "driver/cli/command_examples.def"
  };
  return rows;
}

}  // namespace hlocc::driver
