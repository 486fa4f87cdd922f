// Compares the places of every launch's operands, pair by pair.
#include "backends/common/sharing.h"

namespace hlocc::backends {
namespace {

bool overlap(const planning::Place& a, const planning::Place& b) {
  return a.memory == b.memory && a.region == b.region && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

bool is_written(const kernel::Buffer& buffer) { return buffer.direction != kernel::Direction::kIn; }

}  // namespace

std::vector<std::vector<bool>> unshared_buffers(const kernel::Program& program,
                                                const planning::Plan& plan) {
  std::vector<std::vector<bool>> unshared;
  for (const kernel::Kernel& kernel : program.kernels)
    unshared.emplace_back(kernel.bound_buffers(), true);
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr) return;
    const std::vector<kernel::Buffer>& buffers = program.kernels[launch->kernel].buffers;
    for (size_t i = 0; i < launch->operands.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (!is_written(buffers[i]) && !is_written(buffers[j])) continue;
        if (!overlap(plan.places[launch->operands[i]], plan.places[launch->operands[j]])) continue;
        unshared[launch->kernel][i] = unshared[launch->kernel][j] = false;
      }
    }
  });
  return unshared;
}

}  // namespace hlocc::backends
