// See known_loops.h. A value of a few bytes is known if it is a constant, a copy of a known one, or
// what a kernel makes of known ones alone; whatever else is written is forgotten.
#include "backends/spirv/known_loops.h"

#include "kernel/evaluate/compiled_kernel.h"

namespace hlocc::backends {
namespace {

// Counters and flags are no larger.
constexpr int64_t kMostBytes = 16;

}  // namespace

std::pair<int, int64_t> place_in_memories(const planning::Plan& plan, const RunAddress& address) {
  const auto index = static_cast<size_t>(address.at);
  const auto at = [](const planning::Place& place) {
    return std::pair(static_cast<int>(place.region), place.offset);
  };
  switch (address.kind) {
    case RunAddress::Kind::kArena: return {0, address.at};
    case RunAddress::Kind::kState: return {1, address.at};
    case RunAddress::Kind::kConstants: return {2, address.at};
    case RunAddress::Kind::kArgument: return at(plan.argument_places[index]);
    case RunAddress::Kind::kResult: return at(plan.result_places[index]);
  }
  return {};
}

KnownValues::Place KnownValues::place_of(const RunAddress& address) const {
  return place_in_memories(plan_, address);
}

std::optional<KnownValues::Bytes> KnownValues::known(const RunAddress& address,
                                                     int64_t bytes) const {
  if (bytes > kMostBytes) return std::nullopt;
  if (address.kind == RunAddress::Kind::kConstants && address.value != kernel::kNone) {
    const auto& data = plan_.values[static_cast<size_t>(address.value)].data;
    if (static_cast<int64_t>(data->size()) == bytes) return *data;
    return std::nullopt;
  }
  const auto found = known_.find(place_of(address));
  if (found == known_.end() || static_cast<int64_t>(found->second.size()) != bytes)
    return std::nullopt;
  return found->second;
}

void KnownValues::put(const RunAddress& address, int64_t bytes, std::optional<Bytes> value) {
  const Place at = place_of(address);
  std::erase_if(known_, [&](const auto& one) {
    const auto& [place, held] = one;
    return place.first == at.first && place.second < at.second + bytes &&
           at.second < place.second + static_cast<int64_t>(held.size());
  });
  if (value) known_[at] = std::move(*value);
}

void KnownValues::play(const RunCopy& copy) {
  put(copy.to, copy.bytes, known(copy.from, copy.bytes));
}

void KnownValues::play(const RunLaunch& run) {
  const kernel::Launch& launch = *run.launch;
  const kernel::Kernel& kernel = program_.kernels[static_cast<size_t>(launch.kernel)];
  std::vector<Bytes> bytes;
  bool all = kernel.bound_buffers() == kernel.operand_buffers() && launch.ranges == 1;
  for (size_t i = 0; i < run.operands.size(); ++i) {
    const int64_t size = plan_.places[static_cast<size_t>(launch.operands[i])].bytes;
    std::optional<Bytes> value = known(run.operands[i], size);
    const bool written = kernel.buffers[i].direction == kernel::Direction::kOut;
    all = all && size <= kMostBytes && (value || written);
    if (all) bytes.push_back(value ? std::move(*value) : Bytes(static_cast<size_t>(size)));
  }
  if (all) {
    std::vector<std::span<std::byte>> bound(bytes.begin(), bytes.end());
    all = kernel::CompiledKernel(kernel).run(bound, launch.integers).ok();
  }
  for (size_t i = 0; i < run.operands.size(); ++i) {
    if (kernel.buffers[i].direction == kernel::Direction::kIn) continue;
    const int64_t size = plan_.places[static_cast<size_t>(launch.operands[i])].bytes;
    put(run.operands[i], size, all ? std::optional(bytes[i]) : std::nullopt);
  }
}

void KnownValues::forget(const RunSteps& steps) {
  for (const RunStep& step : steps) forget(step);
}

void KnownValues::forget(const RunStep& step) {
  if (const auto* loop = std::get_if<RunLoop>(&step.what)) {
    forget(loop->condition);
    forget(loop->body);
  } else if (const auto* choice = std::get_if<RunChoice>(&step.what)) {
    for (const RunSteps& branch : choice->branches) forget(branch);
  } else if (const auto* inner = std::get_if<RunInner>(&step.what)) {
    forget(inner->steps);
  } else if (const auto* copy = std::get_if<RunCopy>(&step.what)) {
    put(copy->to, copy->bytes, std::nullopt);
  } else if (const auto* run = std::get_if<RunLaunch>(&step.what)) {
    for (size_t i = 0; i < run->operands.size(); ++i)
      put(run->operands[i], plan_.places[static_cast<size_t>(run->launch->operands[i])].bytes,
          std::nullopt);
  }
}

void KnownValues::play(const RunStep& step) {
  if (const auto* run = std::get_if<RunLaunch>(&step.what)) return play(*run);
  if (const auto* copy = std::get_if<RunCopy>(&step.what)) return play(*copy);
  forget(step);
}

std::optional<int64_t> KnownValues::iterations(const RunLoop& loop, int64_t most) const {
  KnownValues now = *this;
  for (int64_t count = 0; count <= most; ++count) {
    for (const RunStep& step : loop.condition) now.play(step);
    const std::optional<Bytes> holds = now.known(loop.holds, 1);
    if (!holds) return std::nullopt;
    if ((*holds)[0] == std::byte{0}) return count;
    for (const RunStep& step : loop.body) now.play(step);
  }
  return std::nullopt;
}

}  // namespace hlocc::backends
