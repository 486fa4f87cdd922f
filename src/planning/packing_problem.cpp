// See packing_problem.h.
#include "planning/packing_problem.h"

#include <algorithm>

#include "planning/occupied.h"
#include "support/rounding.h"

namespace hlocc::planning {
namespace {

// From the first to the last time of an item.
Interval span(const Item& item) {
  Interval all{std::numeric_limits<int>::max(), 0};
  for (const Rectangle& part : item.parts) {
    all.begin = std::min(all.begin, part.times.front().begin);
    all.end = std::max(all.end, part.times.back().end);
  }
  return all;
}

// One part, alive once.
bool is_plain(const Item& item) {
  return item.parts.size() == 1 && item.parts[0].times.size() == 1;
}

// Calls visit(i, j, part of i, part of j) for all parts of different items that are alive together.
template <typename Visit>
void for_each_conflict(const std::vector<Item>& items, const Visit& visit) {
  // In the order of their first times, an item can only meet those that begin before it ends.
  struct Entry {
    Interval span;
    size_t item;
    bool plain;
  };
  std::vector<Entry> order;
  for (size_t i = 0; i < items.size(); ++i)
    order.push_back({span(items[i]), i, is_plain(items[i])});
  std::ranges::stable_sort(order, {}, [](const Entry& entry) { return entry.span.begin; });
  for (size_t a = 0; a < order.size(); ++a)
    for (size_t b = a + 1; b < order.size() && order[b].span.begin < order[a].span.end; ++b) {
      const size_t i = order[a].item, j = order[b].item;
      if (order[a].plain && order[b].plain) {
        visit(i, j, items[i].parts[0], items[j].parts[0]);
        continue;
      }
      for (const Rectangle& mine : items[i].parts)
        for (const Rectangle& theirs : items[j].parts)
          if (are_together(mine.times, theirs.times)) visit(i, j, mine, theirs);
    }
}

}  // namespace

PackingProblem make_problem(const std::vector<Item>& items) {
  PackingProblem p{.items = items};
  for (const Item& item : items) {
    int64_t low = std::numeric_limits<int64_t>::max(), high = std::numeric_limits<int64_t>::min();
    for (const Rectangle& part : item.parts) {
      low = std::min(low, part.offset);
      high = std::max(high, part.offset + part.bytes);
    }
    p.low.push_back(low);
    p.high.push_back(high);
    p.lowest.push_back(round_up(std::max<int64_t>(0, -low), item.alignment));
  }
  p.degree.assign(items.size(), 0);
  for_each_conflict(items, [&](size_t i, size_t j, const Rectangle&, const Rectangle&) {
    ++p.degree[i], ++p.degree[j];
  });
  return p;
}

void list_forbidden(PackingProblem& p) {
  p.forbidden.resize(p.items.size());
  for (size_t i = 0; i < p.items.size(); ++i)
    p.forbidden[i].reserve(static_cast<size_t>(p.degree[i]));
  for_each_conflict(p.items,
                    [&](size_t i, size_t j, const Rectangle& mine, const Rectangle& theirs) {
                      const int64_t low = theirs.offset - mine.offset - mine.bytes,
                                    high = theirs.offset + theirs.bytes - mine.offset;
                      p.forbidden[i].push_back({static_cast<int>(j), low, high});
                      p.forbidden[j].push_back({static_cast<int>(i), -high, -low});
                    });
}

int64_t lowest_place(const PackingProblem& p, int item, const std::vector<int64_t>& bases,
                     int64_t& effort) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  const auto& forbidden = p.forbidden[static_cast<size_t>(item)];
  effort += static_cast<int64_t>(forbidden.size()) + 1;
  for (const Forbidden& f : forbidden) {
    const int64_t other = bases[static_cast<size_t>(f.other)];
    if (other != kUnplaced) ranges.emplace_back(other + f.low, other + f.high);
  }
  std::ranges::sort(ranges);
  const int64_t alignment = p.items[static_cast<size_t>(item)].alignment;
  int64_t base = p.lowest[static_cast<size_t>(item)];
  for (const auto& [low, high] : ranges)
    if (base > low && base < high) base = round_up(high, alignment);
  return base;
}

Solution place_in_order(const PackingProblem& p, const std::vector<int>& order, int64_t& effort) {
  Solution s{std::vector<int64_t>(p.items.size(), kUnplaced), 0};
  for (const int item : order) {
    const int64_t base = lowest_place(p, item, s.bases, effort);
    s.bases[static_cast<size_t>(item)] = base;
    s.bytes = std::max(s.bytes, base + p.high[static_cast<size_t>(item)]);
  }
  return s;
}

Solution place_once_in_order(const PackingProblem& p, const std::vector<int>& order,
                             int64_t& effort) {
  Solution s{std::vector<int64_t>(p.items.size(), kUnplaced), 0};
  Occupied occupied;
  for (const int item : order) {
    const size_t i = static_cast<size_t>(item);
    s.bases[i] = occupied.lowest_free(p.items[i], p.lowest[i]);
    occupied.add(p.items[i], s.bases[i]);
    s.bytes = std::max(s.bytes, s.bases[i] + p.high[i]);
    effort += p.degree[i] + 1;
  }
  return s;
}

}  // namespace hlocc::planning
