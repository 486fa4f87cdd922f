// See device_memories.h: each memory is a packing problem of its own.
#include "planning/device_memories.h"

#include <algorithm>

#include "planning/pack.h"

namespace hlocc::planning {
namespace {

DeviceMemory place_one_memory(const std::vector<kernel::ProgramValue>& values,
                              const Liveness& liveness, int memory, std::vector<Place>& places) {
  std::vector<Item> items;
  std::vector<size_t> packed;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].memory != memory) continue;
    places[i] = {Region::kArena, 0, values[i].bytes(), memory};
    if (liveness.taken[i].empty()) continue;
    items.push_back({{{liveness.taken[i], 0, values[i].bytes()}}, kDeviceAlignment});
    packed.push_back(i);
  }
  const Packing packing = pack(items);
  for (size_t k = 0; k < items.size(); ++k) places[packed[k]].offset = packing.bases[k];
  return {packing.bytes, kDeviceAlignment};
}

}  // namespace

std::vector<DeviceMemory> place_device_memories(const std::vector<kernel::ProgramValue>& values,
                                                const Liveness& liveness,
                                                std::vector<Place>& places) {
  int last = 0;
  for (const kernel::ProgramValue& value : values) last = std::max(last, value.memory);
  std::vector<DeviceMemory> memories;
  for (int memory = 1; memory <= last; ++memory)
    memories.push_back(place_one_memory(values, liveness, memory, places));
  return memories;
}

}  // namespace hlocc::planning
