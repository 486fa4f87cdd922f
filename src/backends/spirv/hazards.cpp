// See hazards.h.
#include "backends/spirv/hazards.h"

#include <algorithm>

namespace hlocc::backends {
namespace {

bool meet(const DeviceAccess& a, const DeviceAccess& b) {
  return (a.writes || b.writes) && a.memory == b.memory && a.begin < b.end && b.begin < a.end;
}

}  // namespace

bool Hazards::must_wait(const std::vector<DeviceAccess>& command) {
  const bool waits = first_ || std::ranges::any_of(open_, [&](const DeviceAccess& before) {
                       return std::ranges::any_of(
                           command, [&](const DeviceAccess& now) { return meet(before, now); });
                     });
  first_ = false;
  if (waits) open_.clear();
  open_.insert(open_.end(), command.begin(), command.end());
  return waits;
}

}  // namespace hlocc::backends
