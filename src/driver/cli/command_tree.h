// Every verb and every flag, as CLI11's tree: what parses a command line, and what help, man page
// and completion are made from. A flag whose feature is not there yet is left out, so that it is
// refused and never ignored.
#pragma once
#include <string>
#include <vector>

#include "driver/cli/command_line.h"

namespace CLI {
class App;
}

namespace hlocc::driver {

// Texts as CLI11 hands them over, before they become values.
struct CommandTexts {
  std::string level, float_abi, shard, config, ram, ram_budget, flash, stack, clock, limits, rtol,
      atol, memories;
  std::vector<std::string> arguments, results, emit, dimensions;
};

// What a flag writes to, `out` or `texts`, must outlive the tree.
void build_command_tree(CLI::App& app, CommandLine& out, CommandTexts& texts);

}  // namespace hlocc::driver
