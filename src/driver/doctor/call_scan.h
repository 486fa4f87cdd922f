// What a firmware passes to a function, read from the instructions in front of its calls: the
// registers whose values are known there. Enough to find the arena that `init` is given; whatever
// instruction it does not know makes it forget everything, so that it says nothing rather than
// something wrong.
#pragma once
#include <cstdint>
#include <vector>

#include "target/elf_facts.h"

namespace hlocc::driver {

// The second argument of each call of the function at `address` where it is a known number, in the
// order of the calls. Thumb and RISC-V; none of other machines.
std::vector<uint64_t> second_arguments(const ElfFacts& firmware, uint64_t address);

}  // namespace hlocc::driver
