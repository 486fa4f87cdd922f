// The constants of several models in one pool, for a library of them: what is equal byte for byte
// lies there once.
#pragma once
#include <span>

#include "planning/plan.h"

namespace hlocc::planning {

// Moves the constants of all plans into one pool: afterwards each plan's places count through it,
// and `constant_bytes` and `constant_align` are the pool's. Tells how many bytes lie there once
// that several plans have, counted as often as they would lie there again. No plan may keep
// constants in its arena.
int64_t share_constants(std::span<Plan> plans);

}  // namespace hlocc::planning
