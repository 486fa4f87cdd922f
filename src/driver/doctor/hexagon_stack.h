// How deep a function of a linked firmware for Hexagon takes the stack, read from its packets and
// those of all that it calls.
#pragma once
#include <cstdint>
#include <optional>

#include "target/elf_facts.h"

namespace hlocc::driver {

// Bytes, with the frames of the deepest path. Nothing where that is not known: a call or jump to
// what a register holds, a recursion, a frame whose size is computed, a call to where no function
// is.
std::optional<int64_t> stack_depth(const ElfFacts& firmware, const ElfSymbol& function);

}  // namespace hlocc::driver
