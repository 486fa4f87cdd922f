// What a firmware passes to a function, read from the instructions in front of its calls: the
// registers whose values are known there. Enough to find the arena that `init` is given; whatever
// instruction it does not know makes it forget everything, so that it says nothing rather than
// something wrong.
#pragma once
#include <cstdint>
#include <vector>

#include "target/elf_facts.h"

namespace hlocc::driver {

// An argument, counted from 0, of each call of the function at `address` where it is a known
// number, in the order of the calls. Thumb and RISC-V, those that are in registers; none of other
// machines.
std::vector<uint64_t> arguments_of_calls(const ElfFacts& firmware, uint64_t address, int argument);
inline std::vector<uint64_t> second_arguments(const ElfFacts& firmware, uint64_t address) {
  return arguments_of_calls(firmware, address, 1);
}

}  // namespace hlocc::driver
