// Spelling of the optimisation levels, of compression and of memories.
#include "target/options.h"

namespace hlocc {

std::string level_name(Level level) {
  static constexpr const char* names[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"};
  return names[static_cast<int>(level)];
}

std::string compression_name(WeightsCompression compression) {
  static constexpr const char* names[] = {"where-needed", "none", "palettes"};
  return names[static_cast<int>(compression)];
}

std::string memories_text(const std::vector<MemoryOption>& memories) {
  std::string out;
  for (const MemoryOption& memory : memories)
    out += (out.empty() ? "" : ",") + memory.name + ":" + std::to_string(memory.bytes);
  return out;
}

}  // namespace hlocc
