// See unit_order.h. Of the units between two that are joined, those that wait for the first of them
// move behind the joined one, in the order that they have, and the others before it: Pearce and
// Kelly's way to keep an order while a graph changes.
#include "transforms/fusion/unit_order.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace hlocc::transforms {

using hlo::InstructionId;
using hlo::kNone;

UnitOrder::UnitOrder(const hlo::Computation& computation,
                     const std::vector<std::vector<InstructionId>>& users, const FusionPlan& plan)
    : c_(computation), users_(users), plan_(plan), groups_(static_cast<int>(plan.groups.size())) {
  place_.assign(plan_.groups.size() + c_.instructions.size(), 0);
  mark_.assign(place_.size(), 0);
  sort();
}

UnitOrder::Unit UnitOrder::unit_of(InstructionId id) const {
  return plan_.group_of[id] == kNone ? groups_ + id : plan_.group_of[id];
}

template <typename Visit>
void UnitOrder::for_each_user(Unit unit, const Visit& visit) const {
  const auto visit_users = [&](InstructionId id) {
    for (const InstructionId user : users_[id])
      if (const Unit next = unit_of(user); next != unit) visit(next);
  };
  if (unit >= groups_) return visit_users(unit - groups_);
  for (const InstructionId id : plan_.groups[unit].members) visit_users(id);
}

void UnitOrder::sort() {
  std::vector<int> pending(place_.size(), 0);
  std::vector<std::pair<InstructionId, Unit>> units;  // by what comes first in the computation
  for (InstructionId id = 0; id < static_cast<InstructionId>(c_.instructions.size()); ++id) {
    const Unit unit = unit_of(id);
    if (unit >= groups_ || plan_.groups[unit].root == id) units.emplace_back(id, unit);
  }
  for (const auto& [id, unit] : units) for_each_user(unit, [&](Unit user) { ++pending[user]; });
  std::vector<InstructionId> key(place_.size(), 0);
  std::priority_queue<std::pair<InstructionId, Unit>, std::vector<std::pair<InstructionId, Unit>>,
                      std::greater<>>
      ready;
  for (const auto& [id, unit] : units) {
    key[unit] = id;
    if (pending[unit] == 0) ready.emplace(id, unit);
  }
  while (!ready.empty()) {
    const Unit unit = ready.top().second;
    ready.pop();
    place_[unit] = static_cast<int>(order_.size());
    order_.push_back(unit);
    for_each_user(unit, [&](Unit user) {
      if (--pending[user] == 0) ready.emplace(key[user], user);
    });
  }
  acyclic_ = order_.size() == units.size();
}

void UnitOrder::start_search() {
  ++searches_;
  todo_.clear();
}

bool UnitOrder::mark(Unit unit) {
  if (mark_[unit] == searches_) return false;
  mark_[unit] = searches_;
  todo_.push_back(unit);
  return true;
}

void UnitOrder::search(int last) {
  while (!todo_.empty()) {
    const Unit unit = todo_.back();
    todo_.pop_back();
    for_each_user(unit, [&](Unit user) {
      if (place_[user] <= last) mark(user);
    });
  }
}

bool UnitOrder::leads_through_others(Unit from, Unit to) {
  const int last = place_[to];
  start_search();
  for_each_user(from, [&](Unit user) {
    if (place_[user] < last) mark(user);
  });
  search(last);
  return mark_[to] == searches_;
}

bool UnitOrder::any_waits(const std::vector<Unit>& units, Unit other, Unit reader) {
  const auto reached = [&](const std::vector<Unit>& ends, Unit from, bool wanted) {
    int last = 0;
    for (const Unit unit : ends) last = std::max(last, place_[unit]);
    start_search();
    mark(from);
    search(last);
    std::vector<Unit> found;
    for (const Unit unit : ends)
      if ((mark_[unit] == searches_) == wanted) found.push_back(unit);
    return found;
  };
  return !reached(reached(units, other, true), reader, false).empty();
}

void UnitOrder::joined(Unit into, Unit from) {
  const int first = std::min(place_[into], place_[from]),
            last = std::max(place_[into], place_[from]);
  start_search();
  mark(into);
  search(last);
  std::vector<Unit> before, behind;
  for (int place = first; place <= last; ++place) {
    const Unit unit = order_[place];
    if (unit == kNone || unit == into || unit == from) continue;
    (mark_[unit] == searches_ ? behind : before).push_back(unit);
  }
  before.push_back(into);
  before.insert(before.end(), behind.begin(), behind.end());
  before.resize(static_cast<size_t>(last - first) + 1, kNone);
  for (int place = first; place <= last; ++place) {
    order_[place] = before[place - first];
    if (order_[place] != kNone) place_[order_[place]] = place;
  }
}

}  // namespace hlocc::transforms
