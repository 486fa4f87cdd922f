// See operand_places.h.
#include "kernel/ranges/operand_places.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace hlocc::kernel {
namespace {

int64_t bytes_of(const Buffer& buffer) { return buffer.elements * scalar_bytes(buffer.element); }

}  // namespace

bool OperandPlaces::may_lie_in_place(std::span<const Overlap> overlaps) {
  std::set<int> operands;
  bool once = true;
  for (const Overlap& o : overlaps)
    if (o.bytes == 0) once &= operands.insert(o.operand).second;
  return once && !operands.empty();
}

OperandPlaces::OperandPlaces(const Kernel& kernel, std::span<const Overlap> overlaps, bool in_place)
    : kernel_(kernel), place_(kernel.buffers.size()), memory_(kernel.buffers.size()) {
  std::iota(place_.begin(), place_.end(), 0);
  if (in_place)
    for (const Overlap& o : overlaps)
      if (o.bytes == 0) place_[static_cast<size_t>(o.operand)] = o.result;
}

bool OperandPlaces::is_seen(BufferId buffer) const {
  return kernel_.buffers[buffer].direction != Direction::kIn ||
         place_[static_cast<size_t>(buffer)] != buffer;
}

std::vector<std::span<std::byte>> OperandPlaces::memory() {
  std::vector<size_t> bytes(place_.size(), 0);
  for (size_t i = 0; i < place_.size(); ++i) {
    size_t& most = bytes[static_cast<size_t>(place_[i])];
    if (is_seen(static_cast<BufferId>(i)))
      most = std::max(most, static_cast<size_t>(bytes_of(kernel_.buffers[i])));
  }
  for (size_t i = 0; i < place_.size(); ++i) memory_[i].resize(bytes[i]);
  std::vector<std::span<std::byte>> bound;
  for (size_t i = 0; i < place_.size(); ++i) {
    const Buffer& buffer = kernel_.buffers[i];
    if (buffer.direction == Direction::kScratch && buffer.space != Space::kArena) continue;
    const bool seen = is_seen(static_cast<BufferId>(i));
    bound.push_back(std::span(memory_[static_cast<size_t>(place_[i])])
                        .first(seen ? static_cast<size_t>(bytes_of(buffer)) : 0));
  }
  return bound;
}

}  // namespace hlocc::kernel
