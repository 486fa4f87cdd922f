// When a palette is worth it: what its indices take off the weights beside the code that looks them
// up.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// Whether a palette that takes so many bytes off the weights is worth so many more operations of
// code.
bool palette_pays(int64_t bytes_saved, int64_t ops);

// The most that looked-up elements of one layer may take in the arena.
int64_t most_looked_up_bytes(const Target& target);

}  // namespace hlocc::costs
