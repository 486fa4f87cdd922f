// The validator's replay of loops and branches: what each round hands to the next must lie in one
// place under all its names.
#include <algorithm>
#include <utility>

#include "planning/validator.h"
#include "support/text.h"

namespace hlocc::planning {

using namespace kernel;

std::set<Id> Validator::defined_in(const Steps& steps) const {
  std::set<Id> ids;
  for_each_step(steps, [&](const Step& step) {
    for (const Id id : writes_of(step, program_.kernels))
      if (program_.values[static_cast<size_t>(id)].role == ValueRole::kTemporary) ids.insert(id);
  });
  return ids;
}

Status Validator::same_place(Id a, Id b) const {
  if (!known(a) || !known(b)) return fail("no such value");
  if (range(plan_.places[static_cast<size_t>(a)]) == range(plan_.places[static_cast<size_t>(b)]) ||
      range(a).bytes == 0)
    return {};
  return fail(name(a) + " and " + name(b) +
              " do not share a place, though control hands one to the other");
}

Status Validator::hand_on(const std::vector<Id>& places, const std::vector<Id>& wanted,
                          const std::vector<Id>& names, const std::set<Id>& stale) {
  for (size_t i = 0; i < places.size(); ++i)
    HLOCC_TRY(expect(range(plan_.places[static_cast<size_t>(places[i])]), wanted[i]));
  memory_.clear_owners(stale);
  for (size_t i = 0; i < places.size(); ++i)
    write(range(plan_.places[static_cast<size_t>(places[i])]), names[i]);
  return {};
}

// Each loop around a loop replays it again, and finds what it found before but for the first
// iterations: without these memories loops in loops would double at each level.
Status Validator::replay(const WhileStep& planned, const WhileStep& given) {
  constexpr size_t kMostRemembered = 64;
  std::vector<Replayed>& known = replayed_[&planned];
  const auto same = std::ranges::find(known, memory_, &Replayed::found);
  if (same != known.end() && in_flight_.empty()) {
    memory_ = same->left;
    return {};
  }
  Memory found = memory_;
  HLOCC_TRY(iterations(planned, given));
  if (known.size() < kMostRemembered && in_flight_.empty())
    known.push_back({std::move(found), memory_});
  return {};
}

Status Validator::iterations(const WhileStep& planned, const WhileStep& given) {
  if (planned.carried != given.carried || planned.result != given.result ||
      planned.initial.size() != given.initial.size() || planned.next.size() != given.next.size())
    return fail("another while than the program's");
  for (size_t i = 0; i < given.carried.size(); ++i)
    for (const Id id : {planned.initial[i], planned.next[i], planned.result[i]})
      HLOCC_TRY(same_place(planned.carried[i], id));
  std::set<Id> stale = defined_in(given.condition);
  stale.merge(defined_in(given.body));
  stale.insert(given.carried.begin(), given.carried.end());
  HLOCC_TRY(hand_on(planned.carried, given.initial, given.carried, {}));
  Memory leaving;
  for (int iteration = 0; iteration < 3; ++iteration) {
    HLOCC_TRY(block(planned.condition, given.condition));
    HLOCC_TRY(expect(planned.condition_value, given.condition_value));
    if (iteration == 0)
      leaving = memory_;
    else
      leaving.intersect(memory_);
    if (iteration == 2) break;
    HLOCC_TRY(block(planned.body, given.body));
    HLOCC_TRY(hand_on(planned.carried, given.next, given.carried, stale));
  }
  memory_ = std::move(leaving);
  return hand_on(planned.carried, given.carried, given.result, stale);
}

Status Validator::replay(const ConditionalStep& planned, const ConditionalStep& given) {
  if (planned.results != given.results || planned.branches.size() != given.branches.size())
    return fail("another conditional");
  HLOCC_TRY(expect(planned.selector, given.selector));
  const Memory before = memory_;
  std::optional<Memory> joined;
  for (size_t b = 0; b < given.branches.size(); ++b) {
    memory_ = before;
    HLOCC_TRY(block(planned.branches[b], given.branches[b]));
    for (size_t i = 0; i < given.results.size(); ++i)
      HLOCC_TRY(same_place(planned.yields[b][i], planned.results[i]));
    HLOCC_TRY(
        hand_on(planned.results, given.yields[b], given.results, defined_in(given.branches[b])));
    if (joined)
      joined->intersect(memory_);
    else
      joined = memory_;
  }
  memory_ = std::move(*joined);
  return {};
}

}  // namespace hlocc::planning
