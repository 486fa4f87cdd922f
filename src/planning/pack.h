// Packs blocks into the arena: gives each a base offset so that nothing that is alive at the same
// time shares bytes, in as few bytes as it can find. A packing problem knows no values, only
// rectangles of time and bytes that move together.
#pragma once
#include <cstdint>
#include <vector>

#include "planning/liveness.h"

namespace hlocc::planning {

struct Rectangle {
  Intervals times;
  int64_t offset = 0, bytes = 0;  // relative to the item's base
};

struct Item {
  std::vector<Rectangle> parts;
  int64_t alignment = 1;  // of the base
};

struct Packing {
  std::vector<int64_t> bases;  // by item
  int64_t bytes = 0;
  int64_t bound = 0;  // no packing of these items needs less: the bytes alive at the worst time
  bool is_optimal = false;  // the bound is met, or a search through all packings has ended
  int64_t spent = 0;        // steps of effort on the first orders
};

// Deterministic: the effort is counted in steps, never in seconds.
inline constexpr int64_t kFullEffort = 10'000'000;
Packing pack(const std::vector<Item>& items, int64_t effort = kFullEffort);

}  // namespace hlocc::planning
