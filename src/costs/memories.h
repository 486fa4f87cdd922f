// What accesses to the processor's memories cost, where it has several (--memory): the figures by
// which planning says what lies where. Estimates: buses, caches and other masters are not known, so
// they order memories and promise nothing.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::costs {

// Cycles that an access to the memory waits longer than one to memory that answers at once, by what
// its name says: "dtcm", "sram2", "psram" (memories.def); what says nothing waits as `otherwise`.
double waits_of(std::string_view name, double otherwise);

// Of the memories of --memory, in their order: as asked for, or by name; of names that say nothing
// the last one is taken for slow.
std::vector<double> waits_of(std::span<const MemoryOption> memories);

// What reading a word of flash waits.
double flash_waits(const Target& target);

// By buffer that a launch of a plan binds, how often the launch accesses its memory: words that
// loads and stores move, counted as kernel_work counts cycles.
std::vector<double> launch_accesses(const kernel::Kernel& kernel, const kernel::Launch& launch,
                                    const Target& target);

}  // namespace hlocc::costs
