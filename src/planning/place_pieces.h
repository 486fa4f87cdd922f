// The arena that was found as a whole, divided among several memories (--memory): each block gets
// its place in one of them, and constants that are worth it one in the memory of --weights-in.
#pragma once
#include "planning/draft.h"
#include "planning/liveness.h"
#include "planning/merge.h"
#include "planning/plan.h"
#include "target/target.h"

namespace hlocc::planning {

struct PieceSite {
  const Draft& draft;
  const Liveness& liveness;
  const std::vector<int64_t>& alignment;  // by value
  const Blocks& blocks;
  const Target& target;
  int64_t ticket_room = 0;  // of a stream, in front of what lies in the last memory
};

// Needs the places of constants in the pool and the alignment of the arena; sets the places of
// blocks in the arena, pieces, kept constants, waits, and the bytes of the arena.
void place_pieces(const PieceSite& site, Plan& plan);

}  // namespace hlocc::planning
