// See fusion.h.
#include "costs/fusion.h"

namespace hlocc::costs {

int most_group_cost(const Target& target) {
  return target.flash_constrained || target.options.for_size() ? 400 : 1000;
}

int longest_epilogue(const Target& target, bool several_results) {
  return several_results && target.flash_constrained ? 3 : 40;
}

bool reads_through_views(const Target& target) {
  return !target.ram_constrained && target.vector_bits > 0 && !target.options.for_size();
}

bool reads_state_in_place(const Target& target, int64_t rows) {
  constexpr int64_t kFewRows = 4;
  return target.ram_constrained && rows < kFewRows;
}

bool rows_pay(const Target& target, int64_t row_lanes) {
  constexpr int64_t kLeastLanes = 8;
  return target.vector_bits == 0 || row_lanes >= kLeastLanes;
}

// Without a cache, sums that stay near save memory; large x86 cores hide a cell's latency behind
// the next tile's products. Where vectors are multiplied by an element of a register (Arm, RISC-V),
// the constants of the gates and the sums crowd each other out: more instructions than two kernels
// take.
bool gates_pay(const Target& target) {
  return !target.has_cache() || !(target.multiply_by_lane || target.multiply_by_scalar);
}

// Between what the nearest cache holds anyway and what the farther ones do not hold either.
bool serpentine_pays(const Target& target, int64_t rows, int64_t weight_bytes) {
  constexpr int64_t kMostRows = 4;
  return target.has_cache() && rows <= kMostRows && weight_bytes >= target.cache(0) &&
         weight_bytes <= target.cache(2) / 2;
}

// Without a cache, chains of convolutions take more instructions by rows than one after the other.
bool chains_by_rows(const Target& target) {
  return target.decisions.row_strips || (target.has_cache() && !target.options.for_size());
}

// Arrays of fewer bytes stay in a cache anyway; weights of more don't stay beside the rows.
bool row_tiles_pay(const Target& target, int64_t bytes_handed_on, int64_t weight_bytes) {
  if (target.decisions.row_strips) return true;
  return bytes_handed_on >= target.cache(1) * 25 / 64 && weight_bytes <= target.cache(1) * 3 / 16;
}

// Half of the rows at least must stay out of memory.
bool pooled_rows_pay(const Target& target, int64_t window, int64_t rows, int64_t bytes_handed_on,
                     int64_t weight_bytes) {
  if (2 * window > rows) return false;
  return target.ram_constrained || row_tiles_pay(target, bytes_handed_on, weight_bytes);
}

}  // namespace hlocc::costs
