// Three attempts, until the bound is met: items by several orders, each at the lowest place that is
// free; the best order improved by moving what sticks out at the top to the front; and for few
// items a search over all orders.
#include "planning/pack.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "planning/coverage.h"
#include "planning/packing_problem.h"

namespace hlocc::planning {
namespace {

// Adds the bytes of the item to those that are alive: parts that overlap count once.
void add_live(const Item& item, std::vector<int64_t>& change) {
  struct Event {
    int time, count;
    const Rectangle* part;
  };
  std::vector<Event> events;
  std::vector<int64_t> ends;
  for (const Rectangle& part : item.parts) {
    ends.insert(ends.end(), {part.offset, part.offset + part.bytes});
    for (const Interval& t : part.times)
      events.insert(events.end(), {{t.begin, 1, &part}, {t.end, -1, &part}});
  }
  std::ranges::stable_sort(events, {}, &Event::time);
  Coverage coverage(std::move(ends));
  for (const Event& event : events) {
    const int64_t before = coverage.bytes();
    coverage.change(event.part->offset, event.part->offset + event.part->bytes, event.count);
    change[static_cast<size_t>(event.time)] += coverage.bytes() - before;
  }
}

// The bytes alive at the worst time.
int64_t live_bound(const std::vector<Item>& items) {
  int times = 0;
  for (const Item& item : items)
    for (const Rectangle& part : item.parts)
      for (const Interval& t : part.times) times = std::max(times, t.end);
  std::vector<int64_t> change(static_cast<size_t>(times) + 1, 0);
  for (const Item& item : items) add_live(item, change);
  int64_t live = 0, bound = 0;
  for (const int64_t delta : change) bound = std::max(bound, live += delta);
  return bound;
}

int lifetime(const Item& item) {
  int sum = 0;
  for (const Rectangle& part : item.parts)
    for (const Interval& t : part.times) sum += t.end - t.begin;
  return sum;
}

// Items sorted by what makes them hard to place.
std::vector<std::vector<int>> first_orders(const PackingProblem& p) {
  const size_t n = p.items.size();
  std::vector<int> ids(n);
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<int64_t> size(n), area(n), begin(n);
  for (size_t i = 0; i < n; ++i) {
    size[i] = p.high[i] - p.low[i];
    area[i] = size[i] * lifetime(p.items[i]);
    begin[i] =
        p.items[i].parts.front().times.empty() ? 0 : -p.items[i].parts.front().times.front().begin;
  }
  std::vector<std::vector<int>> orders;
  for (const auto* key :
       std::initializer_list<const std::vector<int64_t>*>{&size, &area, &begin, &p.degree}) {
    std::vector<int> order = ids;
    std::ranges::stable_sort(order, std::ranges::greater(), [&](int i) {
      return std::pair((*key)[static_cast<size_t>(i)], size[static_cast<size_t>(i)]);
    });
    orders.push_back(std::move(order));
  }
  return orders;
}

// Numbers that look random and are the same everywhere.
class Dice {
 public:
  size_t below(size_t bound) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<size_t>((state_ >> 33) % bound);
  }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15ull;
};

// Moves an item that reaches the top, or one that is in its way, to an earlier place in the order,
// and keeps what is no worse.
void improve(const PackingProblem& p, std::vector<int> order, Solution& best, int64_t bound,
             int64_t limit) {
  Dice dice;
  Solution current = best;
  int64_t effort = 0;
  // Many iterations without a gain mean that there is little to gain.
  const int64_t patience = 200 * static_cast<int64_t>(order.size());
  for (int64_t idle = 0; best.bytes > bound && effort < limit && idle < patience; ++idle) {
    std::vector<size_t> top;
    for (size_t k = 0; k < order.size(); ++k) {
      const size_t i = static_cast<size_t>(order[k]);
      if (current.bases[i] + p.high[i] == current.bytes && k > 0) top.push_back(k);
    }
    if (top.empty()) break;
    const size_t from =
        dice.below(3) == 0 ? 1 + dice.below(order.size() - 1) : top[dice.below(top.size())];
    const size_t to = dice.below(from);
    std::vector<int> tried = order;
    std::rotate(tried.begin() + static_cast<long>(to), tried.begin() + static_cast<long>(from),
                tried.begin() + static_cast<long>(from) + 1);
    Solution solution = place_in_order(p, tried, effort);
    if (solution.bytes > current.bytes) continue;
    order = std::move(tried);
    current = std::move(solution);
    if (current.bytes < best.bytes) best = current, idle = 0;
  }
}

// All orders in which bases do not fall, each item at its lowest free place. Where all parts of an
// item begin at its base, one of them is an optimal packing: pushing down what lies below never
// hits what lies above.
class OffsetSearch {
 public:
  OffsetSearch(const PackingProblem& p, Solution& best, int64_t bound, int64_t limit)
      : p_(p), best_(best), bound_(bound), limit_(limit), bases_(p.items.size(), kUnplaced) {}
  // True if all orders were seen.
  bool run() {
    step(0, 0, 0);
    return effort_ <= limit_;
  }

 private:
  void step(size_t placed, int64_t floor, int64_t height) {
    if (effort_ > limit_ || best_.bytes <= bound_) return;
    if (placed == bases_.size()) {
      if (height < best_.bytes) best_ = {bases_, height};
      return;
    }
    std::vector<std::pair<int64_t, int>> choices;
    for (size_t i = 0; i < bases_.size(); ++i) {
      if (bases_[i] != kUnplaced) continue;
      const int64_t base = lowest_place(p_, static_cast<int>(i), bases_, effort_);
      // An item that no longer fits under the best height rules out the whole branch.
      if (base + p_.high[i] >= best_.bytes) return;
      choices.emplace_back(base, static_cast<int>(i));
    }
    std::ranges::sort(choices);
    for (const auto& [base, item] : choices) {
      const size_t i = static_cast<size_t>(item);
      if (base + p_.low[i] < floor) continue;
      bases_[i] = base;
      step(placed + 1, base + p_.low[i], std::max(height, base + p_.high[i]));
      bases_[i] = kUnplaced;
    }
  }

  const PackingProblem& p_;
  Solution& best_;
  int64_t bound_, limit_, effort_ = 0;
  std::vector<int64_t> bases_;
};

bool begins_at_base(const Item& item) {
  return std::ranges::all_of(
      item.parts, [&](const Rectangle& part) { return part.offset == item.parts.front().offset; });
}

}  // namespace

Packing pack(const std::vector<Item>& items, int64_t effort) {
  Packing packing{.bound = live_bound(items)};
  if (items.empty()) {
    packing.is_optimal = true;
    return packing;
  }
  PackingProblem p = make_problem(items);
  Solution best;
  std::vector<int> best_order;
  int64_t spent = 0;
  for (const std::vector<int>& order : first_orders(p)) {
    Solution solution = place_once_in_order(p, order, spent);
    if (solution.bytes >= best.bytes) continue;
    best = std::move(solution);
    best_order = order;
    // Where one order takes long, it is the only one.
    if (best.bytes <= packing.bound || spent > kFullEffort / 2) break;
  }
  const int64_t improving = spent > kFullEffort / 2 ? 0 : effort;
  if (best.bytes > packing.bound && (items.size() <= 64 || improving > 0)) list_forbidden(p);
  const bool all_seen =
      items.size() <= 64 && OffsetSearch(p, best, packing.bound, effort / 5).run();
  const bool is_best = all_seen && std::ranges::all_of(items, begins_at_base);
  if (!is_best) improve(p, best_order, best, packing.bound, improving);
  packing.is_optimal = is_best || best.bytes <= packing.bound;
  packing.spent = spent;
  packing.bases = std::move(best.bases);
  packing.bytes = best.bytes;
  return packing;
}

}  // namespace hlocc::planning
