// One program, planned for less memory: its bits are those of the interpreter, whatever the budget.
#pragma once
#include "fuzz/differential.h"

namespace hlocc::fuzz {

// By this machine's code as it comes and with --optimize=ram, and on a microcontroller's plans (evaluated here) as
// it comes, with --optimize=ram and with a --ram-budget drawn between the two. In a child process.
Finding check_less_ram(const Program& program, uint64_t seed, double seconds);

}  // namespace hlocc::fuzz
