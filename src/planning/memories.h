// The arena in several memories (--memory): which blocks lie in the fast ones. A value is worth
// what its accesses would wait elsewhere; of what is alive at a time as much goes into a memory as
// it has room for. docs/design/018_memories.md.
#pragma once
#include <vector>

#include "planning/draft.h"
#include "planning/pack.h"
#include "target/target.h"

namespace hlocc::planning {

// What is to be divided: an item of the arena, or a constant that may be copied into one memory or
// stay in flash.
struct Divided {
  Item item;
  double accesses = 0;
  bool is_constant = false;
};

inline constexpr int kInFlash = -1;

struct Division {
  std::vector<int> memory_of;  // by item; kInFlash: a constant that stays where it is
  std::vector<int64_t> bases;  // by item, in its memory
  std::vector<int64_t> bytes;  // by memory
  int64_t missing = 0;         // bytes that the last memory lacks
  double waited = 0;           // cycles that the accesses wait
};

struct MemoryRoom {
  int64_t bytes = 0;
  double waits = 0;
  bool takes_constants = false;
};

// Of several greedy ways the one that waits least among those that fit.
Division divide(const std::vector<Divided>& items, const std::vector<MemoryRoom>& memories,
                double flash_waits);

// By value: the words that the steps of a run move from and to it. Steps in loops that end by what
// is not known count once.
std::vector<double> accesses_of(const Draft& draft, const Target& target);

}  // namespace hlocc::planning
