// See alive.h. The plan is read as a draft without copies to be made, so that the analysis which
// placed its values also tells when they are there.
#include "planning/alive.h"

#include <algorithm>
#include <numeric>

#include "planning/flow.h"

namespace hlocc::planning {
namespace {

bool is_at(const Place& place, const Place& other) {
  return place.region == other.region && place.memory == other.memory &&
         place.offset == other.offset && place.bytes == other.bytes;
}

// By result leaf the value that holds it in the end: of those in the result's place the one that is
// written last, or what is there already.
std::vector<Id> values_of_results(const Plan& plan, const std::vector<kernel::Kernel>& kernels) {
  std::vector<Id> order(plan.values.size());
  std::iota(order.begin(), order.end(), 0);
  for (const kernel::Step& step : plan.steps)
    for (const Id id : writes_of(step, kernels)) order.push_back(id);
  std::vector<Id> out;
  for (const Place& place : plan.result_places) {
    const auto found = std::find_if(order.rbegin(), order.rend(), [&](Id id) {
      return is_at(plan.places[static_cast<size_t>(id)], place);
    });
    if (found != order.rend()) out.push_back(*found);
  }
  return out;
}

// Bytes of the arena that the values cover.
int64_t bytes_of(const std::vector<Id>& values, const Plan& plan) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const Id id : values) {
    const Place& place = plan.places[static_cast<size_t>(id)];
    ranges.emplace_back(place.offset, place.offset + place.bytes);
  }
  std::ranges::sort(ranges);
  int64_t bytes = 0, end = 0;
  for (const auto& [from, to] : ranges) {
    bytes += std::max<int64_t>(0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return bytes;
}

}  // namespace

std::vector<AliveStep> alive_steps(const kernel::Program& program, const Plan& plan,
                                   const Target& target) {
  Draft draft{.program = &program, .values = plan.values, .steps = plan.steps};
  draft.copy_of.assign(plan.values.size(), kNone);
  draft.finals = values_of_results(plan, program.kernels);
  Liveness unused;
  const Flow flow = build_flow(draft, target, unused);
  const Liveness liveness = analyse(draft, target);

  // The draft's steps are copies of the plan's, in the same order.
  std::vector<const kernel::Step*> leaves;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (!std::holds_alternative<kernel::WhileStep>(step.what) &&
        !std::holds_alternative<kernel::ConditionalStep>(step.what))
      leaves.push_back(&step);
  });
  std::vector<AliveStep> out;
  std::vector<int> row_of_node(flow.nodes.size(), -1);
  for (size_t i = 0; i < flow.nodes.size(); ++i) {
    if (flow.nodes[i].step == nullptr) continue;
    row_of_node[i] = static_cast<int>(out.size());
    out.push_back({.step = leaves[out.size()]});
  }
  for (size_t value = 0; value < plan.values.size(); ++value) {
    const Place& place = plan.places[value];
    if (place.region != Region::kArena || place.memory != 0 || place.bytes == 0) continue;
    for (const Interval& taken : liveness.taken[value])
      for (int time = taken.begin + taken.begin % 2; time < taken.end; time += 2)
        if (const int row = row_of_node[static_cast<size_t>(time / 2)]; row >= 0)
          out[static_cast<size_t>(row)].values.push_back(static_cast<Id>(value));
  }
  for (AliveStep& one : out) {
    std::ranges::stable_sort(one.values, [&](Id a, Id b) {
      return plan.places[static_cast<size_t>(a)].bytes > plan.places[static_cast<size_t>(b)].bytes;
    });
    one.bytes = bytes_of(one.values, plan);
  }
  return out;
}

}  // namespace hlocc::planning
