// See occupied.h. Parts are kept in the order of their first bytes, so that the search for a place
// ends at the first gap that is wide enough, and in runs of some hundred; programs have millions of
// pairs that are alive together, and few of them are ever looked at.
#include "planning/occupied.h"

#include <algorithm>

#include "support/rounding.h"

namespace hlocc::planning {
namespace {

constexpr size_t kLongestRun = 512;

bool meet(const Interval& a, const Interval& b) {
  return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

}  // namespace

bool are_together(const Intervals& a, const Intervals& b) {
  // Most lives are one interval.
  if (a.size() == 1 && b.size() == 1) return meet(a[0], b[0]);
  return meet(a, b, {});
}

Occupied::Part Occupied::part_of(const Rectangle& rectangle, int64_t base) {
  const int64_t begin = base + rectangle.offset;
  Part part{begin, begin + rectangle.bytes, {}, &rectangle.times};
  if (rectangle.times.empty()) return part;
  part.span = {rectangle.times.front().begin, rectangle.times.back().end};
  if (rectangle.times.size() == 1) part.times = nullptr;
  return part;
}

bool Occupied::are_together(const Part& a, const Part& b) {
  if (!meet(a.span, b.span)) return false;
  if (a.times == nullptr && b.times == nullptr) return true;
  const Intervals whole_a{a.span}, whole_b{b.span};
  return meet(a.times == nullptr ? whole_a : *a.times, b.times == nullptr ? whole_b : *b.times, {});
}

void Occupied::describe(Run& run) {
  run.end = run.parts.front().end;
  run.widest_gap = 0;
  run.any = run.all = run.parts.front().span;
  run.plain = true;
  for (const Part& part : run.parts) {
    run.widest_gap = std::max(run.widest_gap, part.begin - run.end);
    run.end = std::max(run.end, part.end);
    run.any = {std::min(run.any.begin, part.span.begin), std::max(run.any.end, part.span.end)};
    run.all = {std::max(run.all.begin, part.span.begin), std::min(run.all.end, part.span.end)};
    run.plain &= part.times == nullptr;
  }
}

void Occupied::add(const Item& item, int64_t base) {
  for (const Rectangle& rectangle : item.parts) add(part_of(rectangle, base));
}

void Occupied::add(const Part& part) {
  if (runs_.empty()) runs_.emplace_back();
  auto run = std::ranges::upper_bound(runs_.begin() + 1, runs_.end(), part.begin, {},
                                      [](const Run& one) { return one.parts.front().begin; });
  --run;
  run->parts.insert(std::ranges::upper_bound(run->parts, part.begin, {}, &Part::begin), part);
  if (run->parts.size() > kLongestRun) {
    Run second;
    const auto half = run->parts.begin() + kLongestRun / 2;
    second.parts.assign(half, run->parts.end());
    run->parts.erase(half, run->parts.end());
    describe(second);
    run = std::prev(runs_.insert(std::next(run), std::move(second)));
  }
  describe(*run);
}

int64_t Occupied::lowest_free(const Item& item, int64_t base) const {
  // Up as far as each part has to go, until none has to.
  for (int64_t before = base - 1; base != before;) {
    before = base;
    for (const Rectangle& rectangle : item.parts)
      base += lowest_of_one(part_of(rectangle, base), item.alignment);
  }
  return base;
}

// True if each part of the run is alive together with this one, and no gap between them is as wide.
bool Occupied::is_wall(const Run& run, const Part& part) {
  return run.plain && part.times == nullptr && run.all.begin < part.span.end &&
         run.all.end > part.span.begin && run.widest_gap < part.end - part.begin;
}

// How far the part must move up from where it stands.
int64_t Occupied::lowest_of_one(const Part& part, int64_t alignment) const {
  int64_t up = 0;
  for (const Run& run : runs_) {
    if (run.parts.front().begin >= part.end + up) break;
    if (run.end <= part.begin + up || !meet(run.any, part.span)) continue;
    if (is_wall(run, part)) {
      up = round_up(run.end - part.begin, alignment);
      continue;
    }
    for (const Part& other : run.parts) {
      if (other.begin >= part.end + up) return up;
      if (other.end <= part.begin + up || !are_together(part, other)) continue;
      up = round_up(other.end - part.begin, alignment);
    }
  }
  return up;
}

}  // namespace hlocc::planning
