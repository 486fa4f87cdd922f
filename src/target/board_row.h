// The rows of toolchains/boards/presets as text and as values: compiler, flags, memories, emulator
// of each preset. Those of the sources are part of the tool.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "target/target.h"

namespace hlocc {

using BoardRow = std::map<std::string, std::string>;

// Lines of KEY=VALUE; others, and those that begin with '#', say nothing.
BoardRow parse_board_row(std::string_view text);

// The row of that name in the sources, with what the rows say that it is like; empty where there is
// none.
BoardRow board_row(const std::string& name);

// The names of the rows that it is put together from: its own, and those that it is like.
std::vector<std::string> board_row_names(const std::string& name);

// The row whose flags are right for code of the target; empty for a triple that is no preset, and
// where processor, features or calling convention are not the preset's.
BoardRow row_for(const Target& target);

}  // namespace hlocc
