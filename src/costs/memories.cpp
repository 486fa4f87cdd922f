// See memories.h.
#include "costs/memories.h"

#include "costs/kernel_work.h"

namespace hlocc::costs {
namespace {

struct NamedWaits {
  std::string_view part;
  double waits;
};
constexpr NamedWaits kNamedWaits[] = {
#define HLOCC_MEMORY_WAITS(part, waits) {part, waits},
#include "costs/memories.def"
#undef HLOCC_MEMORY_WAITS
};

// Flash behind a prefetching accelerator, as microcontrollers have it; caches hide the most of it.
constexpr double kFlashWaits = 1.5;
constexpr double kSlowWaits = 2;

}  // namespace

double waits_of(std::string_view name, double otherwise) {
  std::string small(name);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const NamedWaits& row : kNamedWaits)
    if (small.find(row.part) != std::string::npos) return row.waits;
  return otherwise;
}

std::vector<double> waits_of(std::span<const MemoryOption> memories) {
  std::vector<double> out;
  for (const MemoryOption& memory : memories) {
    const bool is_last = out.size() + 1 == memories.size();
    out.push_back(memory.waits >= 0 ? memory.waits
                                    : waits_of(memory.name, is_last ? kSlowWaits : 0));
  }
  return out;
}

double flash_waits(const Target& target) { return target.has_cache() ? 0 : kFlashWaits; }

std::vector<double> launch_accesses(const kernel::Kernel& kernel, const kernel::Launch& launch,
                                    const Target& target) {
  std::vector<double> bound;
  const std::vector<double> all = buffer_accesses(kernel, launch, target);
  for (size_t i = 0; i < kernel.buffers.size(); ++i)
    if (kernel.buffers[i].direction != kernel::Direction::kScratch ||
        kernel.buffers[i].space == kernel::Space::kArena)
      bound.push_back(all[i]);
  return bound;
}

}  // namespace hlocc::costs
