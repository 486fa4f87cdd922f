// Items to be packed, drawn from a seed.
#pragma once
#include "planning/pack.h"
#include "planning/random_programs.h"

namespace hlocc::planning {

inline std::vector<Item> drawn_items(Random& random, int count, int times) {
  static const std::vector<int64_t> alignments = {1, 1, 4, 16};
  std::vector<Item> items;
  for (; count > 0; --count) {
    Item drawn{{}, random.of(alignments)};
    for (int parts = random.below(4) == 0 ? 2 + random.below(2) : 1; parts > 0; --parts) {
      const int begin = random.below(static_cast<size_t>(times)), length = 1 + random.below(5),
                bytes = 1 + random.below(20);
      Rectangle part{
          {{begin, begin + length}}, drawn.parts.empty() ? 0 : 4 * random.below(9) - 16, bytes};
      if (random.below(5) == 0) part.times.push_back({begin + length + 1, begin + length + 3});
      drawn.parts.push_back(std::move(part));
    }
    items.push_back(std::move(drawn));
  }
  return items;
}

}  // namespace hlocc::planning
