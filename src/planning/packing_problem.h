// What packing works on: which bases items forbid one another, and how an order of items becomes
// places.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "planning/pack.h"

namespace hlocc::planning {

// If item `other` has base x, this item's base may not lie strictly between x + low and x + high.
struct Forbidden {
  int other;
  int64_t low, high;
};

struct PackingProblem {
  const std::vector<Item>& items;
  std::vector<Item> simple;                       // the items, of as few parts as possible
  std::vector<int64_t> low, high;                 // the extent of an item around its base
  std::vector<int64_t> lowest;                    // the lowest base: nothing below 0
  std::vector<int64_t> degree;                    // what others forbid an item: so many ranges
  std::vector<std::vector<Forbidden>> forbidden;  // by item; for many orders
};

inline constexpr int64_t kUnplaced = -1;

struct Solution {
  std::vector<int64_t> bases;
  int64_t bytes = std::numeric_limits<int64_t>::max();
};

// Without the lists of forbidden bases.
PackingProblem make_problem(const std::vector<Item>& items);
void list_forbidden(PackingProblem& p);

// The lowest free base of an item among those that are placed. Wants the lists.
int64_t lowest_place(const PackingProblem& p, int item, const std::vector<int64_t>& bases,
                     int64_t& effort);
// Each item at its lowest free place. `effort` grows by the ranges that are looked at.
Solution place_in_order(const PackingProblem& p, const std::vector<int>& order, int64_t& effort);
// The same without the lists, which take longer to make than one order to place.
Solution place_once_in_order(const PackingProblem& p, const std::vector<int>& order,
                             int64_t& effort);

}  // namespace hlocc::planning
