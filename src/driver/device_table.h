// What runs where: the table of `inspect --backend NAME` and `--plugin FILE`.
#pragma once
#include "devices/partition/partition.h"
#include "driver/command_line.h"

namespace hlocc::driver {

// Of the entry, in its order; empty where no platform was named.
Result<std::vector<device::PlacedInstruction>> placed_on_devices(const hlo::Module& module,
                                                                 const CommandLine& line);
std::string to_text(const std::vector<device::PlacedInstruction>& placed);

}  // namespace hlocc::driver
