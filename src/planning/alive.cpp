// See alive.h. The plan is read as a draft without copies to be made, so that the analysis which
// placed its values also tells when they are there.
#include "planning/alive.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "planning/coverage.h"
#include "planning/flow.h"

namespace hlocc::planning {
namespace {

// By result leaf the value that holds it in the end: of those in the result's place the one that is
// written last, or what is there already.
std::vector<Id> values_of_results(const Plan& plan, const std::vector<kernel::Kernel>& kernels) {
  const auto key = [](const Place& place) {
    return std::tuple(place.region, place.memory, place.offset, place.bytes);
  };
  std::map<decltype(key(Place())), Id> last;
  const auto write = [&](Id id) { last[key(plan.places[static_cast<size_t>(id)])] = id; };
  for (size_t i = 0; i < plan.values.size(); ++i) write(static_cast<Id>(i));
  for (const kernel::Step& step : plan.steps)
    for (const Id id : writes_of(step, kernels)) write(id);
  std::vector<Id> out;
  for (const Place& place : plan.result_places)
    if (const auto found = last.find(key(place)); found != last.end()) out.push_back(found->second);
  return out;
}

// Fills the bytes that the stretches take together at each step.
void add_bytes(const Plan& plan, Alive& alive) {
  struct Event {
    int row, count;
    const Place* place;
  };
  std::vector<Event> events;
  std::vector<int64_t> ends;
  for (const AliveStretch& stretch : alive.stretches) {
    const Place& place = plan.places[static_cast<size_t>(stretch.value)];
    ends.insert(ends.end(), {place.offset, place.offset + place.bytes});
    events.insert(events.end(), {{stretch.first, 1, &place}, {stretch.last + 1, -1, &place}});
  }
  if (events.empty()) return;
  std::ranges::stable_sort(events, {}, &Event::row);
  Coverage coverage(std::move(ends));
  auto next = events.begin();
  for (size_t row = 0; row < alive.steps.size(); ++row) {
    for (; next != events.end() && next->row <= static_cast<int>(row); ++next)
      coverage.change(next->place->offset, next->place->offset + next->place->bytes, next->count);
    alive.steps[row].bytes = coverage.bytes();
  }
}

}  // namespace

Alive find_alive(const kernel::Program& program, const Plan& plan, const Target& target) {
  Draft draft{.program = &program, .values = plan.values, .steps = plan.steps};
  draft.copy_of.assign(plan.values.size(), kNone);
  draft.finals = values_of_results(plan, program.kernels);
  Liveness unused;
  const Flow flow = build_flow(draft, target, unused);
  const Liveness liveness = analyse(draft, target);

  // The draft's steps are copies of the plan's, in the same order.
  Alive out;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (!std::holds_alternative<kernel::WhileStep>(step.what) &&
        !std::holds_alternative<kernel::ConditionalStep>(step.what))
      out.steps.push_back({.step = &step});
  });
  std::vector<int> steps_before = {0};  // by node
  for (const Node& node : flow.nodes)
    steps_before.push_back(steps_before.back() + (node.step == nullptr ? 0 : 1));
  for (size_t value = 0; value < plan.values.size(); ++value) {
    const Place& place = plan.places[value];
    if (place.region != Region::kArena || place.memory != 0 || place.bytes == 0) continue;
    for (const Interval& taken : liveness.taken[value]) {
      // A node's own time is the even one.
      const int first = steps_before[static_cast<size_t>((taken.begin + 1) / 2)],
                end = steps_before[static_cast<size_t>((taken.end + 1) / 2)];
      if (first < end) out.stretches.push_back({static_cast<Id>(value), first, end - 1});
    }
  }
  std::ranges::stable_sort(out.stretches, {}, [&](const AliveStretch& stretch) {
    return std::pair(stretch.first, -plan.places[static_cast<size_t>(stretch.value)].bytes);
  });
  add_bytes(plan, out);
  return out;
}

std::vector<Id> Alive::values_at(int step, const Plan& plan) const {
  std::vector<Id> values;
  for (const AliveStretch& stretch : stretches)
    if (stretch.first <= step && step <= stretch.last) values.push_back(stretch.value);
  std::ranges::sort(values, {}, [&](Id id) {
    return std::pair(-plan.places[static_cast<size_t>(id)].bytes, id);
  });
  return values;
}

}  // namespace hlocc::planning
