// See palettes.h.
#include "costs/palettes.h"

namespace hlocc::costs {

bool palette_pays(int64_t bytes_saved, int64_t ops) {
  // Of Thumb's, about.
  constexpr int64_t kBytesOfOp = 4;
  return bytes_saved > kBytesOfOp * ops;
}

int64_t most_looked_up_bytes(const Target& target) {
  constexpr int64_t kConstrained = 40 << 10, kElse = 1 << 20;
  return target.ram_constrained ? kConstrained : kElse;
}

}  // namespace hlocc::costs
