// --memory: the memories that an arena is handed out over, from the command line's text or from
// what is known of the chip.
#pragma once
#include <string>
#include <vector>

#include "driver/cli/command_line.h"

namespace hlocc::driver {

// "fast:64K,slow:512K", "dtcm,sram", "fast:64K:0,psram:8M:20". Sizes that are left out are 0.
// Errors: kUsage, which say what is right.
Result<std::vector<MemoryOption>> parse_memories(const std::string& text);

// What does not go together with --memory, and --weights-in without it.
Status check_memories(const CommandLine& line);

// Sizes that were left out, as the chip has them. Errors: kUsage, where it has none of the name, or
// is not known.
Status fill_memories(std::vector<MemoryOption>& memories, const Target& target);

}  // namespace hlocc::driver
