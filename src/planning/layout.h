// A layout: which values form blocks, and where the blocks lie in the arena. Merging is greedy, so
// some results are kept apart from their operands again where that needs fewer bytes.
#pragma once
#include "planning/merge.h"
#include "planning/pack.h"

namespace hlocc::planning {

struct Layout {
  Blocks blocks;
  std::vector<int64_t> bases;  // by block, for blocks in the arena that hold something
  int64_t bytes = 0, bound = 0;
  bool offsets_are_optimal = false;  // of these blocks
};

// The blocks that are packed into the arena, as what packing works on.
struct ArenaItems {
  std::vector<Item> items;
  std::vector<size_t> blocks;  // by item
};
// `alignment` by value.
ArenaItems arena_items(const Draft& draft, const Liveness& liveness,
                       const std::vector<int64_t>& alignment, const Blocks& blocks);
Layout find_layout(const Draft& draft, const Liveness& liveness,
                   const std::vector<int64_t>& alignment, MergeOptions options);

// Programs of that many values get one good plan instead of the best of several: each costs
// seconds.
inline bool is_large(size_t values) { return values > 1500; }

// The bytes that the widest step needs, whatever is merged: no layout of these steps is smaller.
int64_t widest_step(const Draft& draft);

}  // namespace hlocc::planning
