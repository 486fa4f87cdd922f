// Packing alone: rectangles of time and bytes, against all possible placements where there are few.
#include "planning/pack.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "planning/drawn_items.h"
#include "planning/occupied.h"
#include "planning/packing_problem.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

Item item(int begin, int end, int64_t bytes, int64_t alignment = 1) {
  return {{{{{begin, end}}, 0, bytes}}, alignment};
}

bool is_free_of_clashes(const std::vector<Item>& items, const Packing& packing) {
  for (size_t i = 0; i < items.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      for (const Rectangle& a : items[i].parts)
        for (const Rectangle& b : items[j].parts) {
          const int64_t at = packing.bases[i] + a.offset, bt = packing.bases[j] + b.offset;
          if (at < bt + b.bytes && bt < at + a.bytes && meet(a.times, b.times, {})) return false;
        }
  return true;
}

// The fewest bytes over all bases in range: every combination is tried.
int64_t fewest(const std::vector<Item>& items, int64_t limit) {
  int64_t best = limit;
  Packing p{std::vector<int64_t>(items.size(), 0)};
  const std::function<void(size_t)> place = [&](size_t k) {
    if (k == items.size()) {
      int64_t top = 0;
      for (size_t i = 0; i < items.size(); ++i)
        top = std::max(top, p.bases[i] + items[i].parts[0].bytes);
      if (top < best && is_free_of_clashes(items, p)) best = top;
      return;
    }
    for (p.bases[k] = 0; p.bases[k] + items[k].parts[0].bytes < best; ++p.bases[k]) place(k + 1);
  };
  place(0);
  return best;
}

TEST_CASE("lives of several intervals meet where any two do") {
  const Intervals none, early{{0, 2}}, late{{8, 9}}, both{{0, 2}, {8, 9}}, between{{3, 5}, {6, 8}};
  CHECK(are_together(both, early));
  CHECK(are_together(late, both));
  CHECK_FALSE(are_together(both, between));
  CHECK_FALSE(are_together(early, late));
  CHECK_FALSE(are_together(none, early));
  CHECK_FALSE(are_together(early, none));
}

TEST_CASE("packing meets the bound where largest-first does not") {
  // Largest first puts the two long ones together and leaves no room for the third below.
  const std::vector<Item> items = {item(0, 4, 3), item(3, 8, 4), item(7, 12, 3),
                                   item(2, 9, 1), item(0, 3, 4), item(8, 12, 4)};
  const Packing packing = pack(items);
  CHECK(packing.bytes == packing.bound);
  CHECK(is_free_of_clashes(items, packing));
}

TEST_CASE("packing says whether it is the best") {
  // The bound is met; a search through all orders ends above it; or it does not end.
  CHECK(pack({}).is_optimal);
  CHECK(pack({item(0, 4, 3), item(2, 8, 4)}).is_optimal);
  const std::vector<Item> three = {item(0, 4, 3), item(0, 4, 3, 4), item(0, 4, 3, 4)};
  const Packing packing = pack(three);
  CHECK(packing.bound == 9);
  CHECK(packing.bytes == 10);
  CHECK(packing.is_optimal);
  // Parts that begin at several places are not searched through.
  const std::vector<Item> apart = {{{{{{0, 2}}, 0, 5}, {{{1, 4}}, -16, 3}}, 8}, item(0, 4, 5, 4)};
  const Packing rigid = pack(apart);
  CHECK(rigid.is_optimal == (rigid.bytes == rigid.bound));
  Random random(11);
  const Packing many = pack(drawn_items(random, 60, 12), 1000);
  CHECK(many.bytes > many.bound);
  CHECK_FALSE(many.is_optimal);
}

TEST_CASE("times with holes are used by others") {
  const std::vector<Item> items = {{{{{{0, 1}, {5, 6}}, 0, 10}}, 1}, item(2, 4, 10)};
  CHECK(pack(items).bytes == 10);
}

TEST_CASE("parts of an item keep their distance, bases their alignment") {
  const std::vector<Item> items = {{{{{{0, 2}}, 0, 8}, {{{1, 4}}, -16, 24}}, 8}, item(0, 4, 5, 4)};
  const Packing packing = pack(items);
  CHECK(is_free_of_clashes(items, packing));
  CHECK(packing.bases[0] >= 16);
  CHECK(packing.bases[0] % 8 == 0);
  CHECK(packing.bases[1] % 4 == 0);
  CHECK(packing.bytes == 29);
}

TEST_CASE("small problems are packed as well as they can be") {
  uint64_t state = 1;
  const auto below = [&](uint64_t bound) {
    return static_cast<int>(((state = state * 6364136223846793005ull + 1) >> 33) % bound);
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<Item> items;
    for (int i = 0; i < 5; ++i) {
      const int begin = below(8);
      items.push_back(item(begin, begin + 1 + below(4), 1 + below(4)));
    }
    const Packing packing = pack(items);
    CHECK(is_free_of_clashes(items, packing));
    CHECK(packing.bytes == fewest(items, 21));
  }
}

TEST_CASE("one order is placed alike with lists of what is forbidden and without") {
  uint64_t state = 5;
  const auto below = [&](uint64_t bound) {
    return static_cast<int>(((state = state * 6364136223846793005ull + 1) >> 33) % bound);
  };
  for (int round = 0; round < 100; ++round) {
    std::vector<Item> items;
    for (int i = 0; i < 30; ++i) {
      Item item{.alignment = 1 << below(4)};
      // Mostly one part that lives once, as in programs.
      for (int part = 0; part <= (below(3) == 0 ? below(3) : 0); ++part) {
        Intervals times;
        for (int at = below(20), k = 0; k <= (below(4) == 0 ? 2 : 0); ++k, at += 2 + below(5))
          times.push_back({at, at + 1 + below(2)});
        item.parts.push_back({times, part == 0 ? 0 : below(40) - 20, below(12)});
      }
      items.push_back(item);
    }
    std::vector<int> order(items.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    PackingProblem problem = make_problem(items);
    int64_t effort_without = 0, effort_with = 0;
    const Solution without = place_once_in_order(problem, order, effort_without);
    list_forbidden(problem);
    const Solution with = place_in_order(problem, order, effort_with);
    CHECK(without.bases == with.bases);
    CHECK(without.bytes == with.bytes);
    CHECK(effort_without == effort_with);
  }
}

void add_packing(const std::vector<Item>& items, int64_t effort) {
  const Packing packing = pack(items, effort);
  CHECK(is_free_of_clashes(items, packing));
  CHECK(packing.bytes >= packing.bound);
  tests::Figures figures;
  figures.add("packings", 1);
  figures.add("bytes", packing.bytes);
  figures.add("bound", packing.bound);
  figures.add("optimal", packing.is_optimal);
  figures.add("steps of effort", packing.spent);
  tests::add_figures("plans", figures);
}

TEST_CASE("drawn items are packed as they were") {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const int count = 2 + random.below(seed % 4 == 0 ? 30 : 9);
    add_packing(drawn_items(random, count, 12), seed % 3 == 0 ? kFullEffort / 50 : 2000);
  }
}

TEST_CASE("drawn items that are too many for a search through all orders") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const int count = 63 + random.below(4);
    static const std::vector<int64_t> efforts = {0, 1, 200, 5000};
    add_packing(drawn_items(random, count, 40), random.of(efforts));
  }
  // Where the first order takes half of the effort, it is the only one.
  Random random(1);
  add_packing(drawn_items(random, 2000, 30), kFullEffort);
}

}  // namespace
}  // namespace hlocc::planning
