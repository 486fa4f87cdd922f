// See packing_problem.h.
#include "planning/packing_problem.h"

#include <algorithm>
#include <map>

#include "planning/occupied.h"
#include "planning/time_index.h"
#include "support/rounding.h"

namespace hlocc::planning {
namespace {

// One part, and the item that it is of.
struct Part {
  size_t item;
  const Rectangle* rectangle;
  bool once() const { return rectangle->times.size() == 1; }
};

// All parts of all items, to be asked which of them are alive together with one.
class Parts {
 public:
  explicit Parts(const std::vector<Item>& items) {
    for (size_t i = 0; i < items.size(); ++i)
      for (const Rectangle& rectangle : items[i].parts) {
        for (const Interval& times : rectangle.times)
          index_.insert(tree_, times, static_cast<Id>(all_.size()));
        all_.push_back({i, &rectangle});
      }
    seen_by_.assign(all_.size(), all_.size());
  }
  const std::vector<Part>& all() const { return all_; }

  // Calls visit(other) for each part of another item that is alive together with part `which`.
  template <typename Visit>
  void for_each_together(size_t which, const Visit& visit) {
    for (const Interval& times : all_[which].rectangle->times)
      index_.any_meeting(tree_, times, [&](Id other) {
        const auto at = static_cast<size_t>(other);
        if (all_[at].item != all_[which].item && seen_by_[at] != which) visit(all_[at]);
        seen_by_[at] = which;
        return false;
      });
  }

 private:
  std::vector<Part> all_;
  TimeIndex index_;
  TimeIndex::Tree tree_;
  std::vector<size_t> seen_by_;  // by part: the one that came upon it last
};

// How many of some intervals meet a given one: those that begin before its end, less those that end
// before its beginning.
class Meetings {
 public:
  void add(const Interval& times) {
    begins_.push_back(times.begin);
    ends_.push_back(times.end);
  }
  void sort() { std::ranges::sort(begins_), std::ranges::sort(ends_); }
  int64_t with(const Interval& times) const {
    return (std::ranges::lower_bound(begins_, times.end) - begins_.begin()) -
           (std::ranges::upper_bound(ends_, times.begin) - ends_.begin());
  }

 private:
  std::vector<int> begins_, ends_;
};

// By item: how many parts of others are alive together with its parts. Pairs that are alive once
// are counted without looking at any of them.
std::vector<int64_t> degrees(const std::vector<Item>& items) {
  std::vector<int64_t> degree(items.size(), 0);
  Parts parts(items);
  Meetings all;
  std::vector<Meetings> own(items.size());
  for (const Part& part : parts.all())
    if (part.once())
      all.add(part.rectangle->times[0]), own[part.item].add(part.rectangle->times[0]);
  all.sort();
  for (Meetings& meetings : own) meetings.sort();
  for (size_t i = 0; i < parts.all().size(); ++i) {
    const Part& part = parts.all()[i];
    if (part.once()) {
      const Interval& times = part.rectangle->times[0];
      degree[part.item] += all.with(times) - own[part.item].with(times);
      continue;
    }
    parts.for_each_together(i, [&](const Part& other) {
      ++degree[part.item];
      if (other.once()) ++degree[other.item];
    });
  }
  return degree;
}

// Parts that take the same bytes at several times as one: most items are then one part.
Item simplified(const Item& item) {
  Item simple{.alignment = item.alignment};
  std::map<std::pair<int64_t, int64_t>, Intervals> times;
  for (const Rectangle& part : item.parts) {
    Intervals& all = times[{part.offset, part.bytes}];
    all.insert(all.end(), part.times.begin(), part.times.end());
  }
  for (auto& [place, intervals] : times) {
    std::ranges::sort(intervals, {}, &Interval::begin);
    Intervals joined;
    for (const Interval& next : intervals) {
      if (!joined.empty() && next.begin <= joined.back().end)
        joined.back().end = std::max(joined.back().end, next.end);
      else
        joined.push_back(next);
    }
    simple.parts.push_back({std::move(joined), place.first, place.second});
  }
  return simple;
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
    p.simple.push_back(simplified(item));
  }
  p.degree = degrees(items);
  return p;
}

void list_forbidden(PackingProblem& p) {
  p.forbidden.resize(p.items.size());
  for (size_t i = 0; i < p.items.size(); ++i)
    p.forbidden[i].reserve(static_cast<size_t>(p.degree[i]));
  Parts parts(p.items);
  for (size_t i = 0; i < parts.all().size(); ++i) {
    const Part& part = parts.all()[i];
    const Rectangle& mine = *part.rectangle;
    parts.for_each_together(i, [&](const Part& other) {
      const Rectangle& theirs = *other.rectangle;
      p.forbidden[part.item].push_back({static_cast<int>(other.item),
                                        theirs.offset - mine.offset - mine.bytes,
                                        theirs.offset + theirs.bytes - mine.offset});
    });
  }
}

namespace {

// Raises the base over each forbidden range that it lies in, in the order of the list; true if it
// lies in none of them.
bool raise_over(const std::vector<Forbidden>& forbidden, const std::vector<int64_t>& bases,
                int64_t alignment, int64_t& base) {
  const int64_t before = base;
  for (const Forbidden& f : forbidden) {
    const int64_t other = bases[static_cast<size_t>(f.other)];
    if (other == kUnplaced || base <= other + f.low || base >= other + f.high) continue;
    base = round_up(other + f.high, alignment);
  }
  return base == before;
}

}  // namespace

// A few walks over the list find most places; where they do not, sorting the ranges once does.
int64_t lowest_place(const PackingProblem& p, int item, const std::vector<int64_t>& bases,
                     int64_t& effort) {
  constexpr int kWalks = 4;
  const auto& forbidden = p.forbidden[static_cast<size_t>(item)];
  effort += static_cast<int64_t>(forbidden.size()) + 1;
  const int64_t alignment = p.items[static_cast<size_t>(item)].alignment;
  int64_t base = p.lowest[static_cast<size_t>(item)];
  for (int walk = 0; walk < kWalks; ++walk)
    if (raise_over(forbidden, bases, alignment, base)) return base;
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const Forbidden& f : forbidden) {
    const int64_t other = bases[static_cast<size_t>(f.other)];
    if (other != kUnplaced) ranges.emplace_back(other + f.low, other + f.high);
  }
  std::ranges::sort(ranges);
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
    s.bases[i] = occupied.lowest_free(p.simple[i], p.lowest[i]);
    occupied.add(p.simple[i], s.bases[i]);
    s.bytes = std::max(s.bytes, s.bases[i] + p.high[i]);
    effort += p.degree[i] + 1;
  }
  return s;
}

}  // namespace hlocc::planning
