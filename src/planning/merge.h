// Merges values into blocks: sets of values at fixed distances from one another. First what must
// share a place, then wholes and their parts, then copies that need not be done, then results that
// may lie over operands. Members of a block that are alive at the same time never share bytes, but
// where a permit says so, or where both hold the same.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "planning/draft.h"
#include "planning/liveness.h"

namespace hlocc::planning {

struct Member {
  Id value;
  int64_t offset;  // in the block; may be negative
};

struct Block {
  std::vector<Member> members;
  Id state = kNone;         // the kState value whose place it is
  bool arena_only = false;  // holds an argument or a result that the caller may bring
  bool argument = false;
  bool result = false;  // holds a result leaf
};

struct Blocks {
  std::vector<Block> blocks;       // emptied where merged into another
  std::vector<int> block_of;       // by value; constants have none: -1
  std::vector<int64_t> offset_of;  // by value
  bool same_place(Id a, Id b) const {
    const size_t i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    return block_of[i] >= 0 && block_of[i] == block_of[j] && offset_of[i] == offset_of[j];
  }
};

struct MergeOptions {
  bool keep_arguments = false;
  int64_t alignment = 16;  // of distances inside a block
  // Indices into Liveness::in_place that are not to be tried: lying over an operand ties a result
  // to all that shares its place, and sometimes a freer place is better.
  std::set<size_t> apart;
};

Blocks merge(const Draft& draft, const Liveness& liveness, const MergeOptions& options);

}  // namespace hlocc::planning
