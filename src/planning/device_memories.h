// Where values lie in devices' memories. Nothing merges there: a transfer is between two memories,
// and what a part may write over is its device's affair.
#pragma once
#include <vector>

#include "planning/liveness.h"
#include "planning/plan.h"

namespace hlocc::planning {

// What every place in a device's memory is aligned to, in bytes: a cache line, a DMA's burst.
inline constexpr int64_t kDeviceAlignment = 64;

// Fills the places of all values that lie outside of memory 0.
std::vector<DeviceMemory> place_device_memories(const std::vector<kernel::ProgramValue>& values,
                                                const Liveness& liveness,
                                                std::vector<Place>& places);

}  // namespace hlocc::planning
