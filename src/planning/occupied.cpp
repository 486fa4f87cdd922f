// See occupied.h. Parts are kept in the order of their first bytes, so that the search for a place
// ends at the first gap that is wide enough; programs have millions of pairs that are alive
// together, and few of them are ever looked at.
#include "planning/occupied.h"

#include <algorithm>

#include "support/rounding.h"

namespace hlocc::planning {

bool are_together(const Intervals& a, const Intervals& b) {
  // Most lives are one interval.
  if (a.size() == 1 && b.size() == 1)
    return std::max(a[0].begin, b[0].begin) < std::min(a[0].end, b[0].end);
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
  if (std::max(a.span.begin, b.span.begin) >= std::min(a.span.end, b.span.end)) return false;
  if (a.times == nullptr && b.times == nullptr) return true;
  const Intervals whole_a{a.span}, whole_b{b.span};
  return meet(a.times == nullptr ? whole_a : *a.times, b.times == nullptr ? whole_b : *b.times, {});
}

void Occupied::add(const Item& item, int64_t base) {
  for (const Rectangle& rectangle : item.parts) {
    const Part part = part_of(rectangle, base);
    parts_.insert(std::ranges::upper_bound(parts_, part.begin, {}, &Part::begin), part);
  }
}

int64_t Occupied::lowest_free(const Item& item, int64_t base) const {
  if (item.parts.size() == 1) {
    const Part part = part_of(item.parts[0], base);
    return base + lowest_of_one(part, item.alignment);
  }
  // Bases that something forbids lie strictly between two others.
  std::vector<std::pair<int64_t, int64_t>> forbidden;
  for (const Rectangle& rectangle : item.parts) {
    const Part mine = part_of(rectangle, 0);
    for (const Part& other : parts_)
      if (are_together(mine, other))
        forbidden.emplace_back(other.begin - mine.end, other.end - mine.begin);
  }
  std::ranges::sort(forbidden);
  for (const auto& [low, high] : forbidden)
    if (base > low && base < high) base = round_up(high, item.alignment);
  return base;
}

// How far the part must move up from where it stands.
int64_t Occupied::lowest_of_one(const Part& part, int64_t alignment) const {
  int64_t up = 0;
  for (const Part& other : parts_) {
    if (other.begin >= part.end + up) break;
    if (other.end <= part.begin + up || !are_together(part, other)) continue;
    up = round_up(other.end - part.begin, alignment);
  }
  return up;
}

}  // namespace hlocc::planning
