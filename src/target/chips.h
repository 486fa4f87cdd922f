// Chips and boards by the names that their makers print on them: a core, which is a preset, and
// memories. A chip only sets defaults; chips.def is the table.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "target/target.h"

namespace hlocc {

struct Chip {
  std::string_view family, name;
  std::string_view core;                   // a preset
  int64_t ram_bytes = 0, flash_bytes = 0;  // 0: no limit is known
  std::string_view also;                   // other names, as patterns
  std::string_view memories;               // what else is to know of them; may be empty
};

// A memory of a chip that an arena may lie in (--memory).
struct ChipMemory {
  std::string_view name;  // as its maker calls it: dtcm, ccm, sram
  int64_t bytes = 0;
};
// The fastest first; none where they are not known, or all are alike.
std::vector<ChipMemory> memories_of(const Chip& chip);

// In the order of the table, families together.
std::span<const Chip> chips();
std::vector<std::string> chip_names();

// The chip of that name, or whose other names match it best; nothing for names of presets.
const Chip* find_chip(std::string_view name);

// A core's target as the chip has it: its name and its memories.
Target on_chip(Target core, const Chip& chip);

// The heading under which a list of targets shows a preset: "bare metal, Arm", "Linux".
std::string_view family_of(const Target& row);

}  // namespace hlocc
