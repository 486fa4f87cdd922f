// Register tiles of an outer product: MR rows by NV vectors of accumulators that stay in registers,
// for dot and convolution alike. result[m, n] = sum over k of a(m, k) * b(k, n); lanes run along n.
#pragma once
#include <optional>

#include "costs/runs.h"
#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::costs {

// Whether a tile of integers leaves registers for addresses.
bool has_many_registers(const Target& target);
// The tile that takes the fewest instructions for a contraction of so many rows and columns, among
// those that fit the target's registers (MR * NV + NV and what the a side takes).
TileSize choose_tile(const Target& target, kernel::Scalar element, int64_t rows, int64_t columns);
// The same for a reduction of `depth` steps; where the core runs ahead, what counts is which of its
// units are busy, not instructions. `masks`: all that the group reads and writes may be masked.
TileSize choose_tile(const Target& target, kernel::Scalar element, int64_t rows, int64_t columns,
                     int64_t depth, bool masks);
// A tile for all rows, of which the last ones may be made twice, where flash is constrained and one
// of `cells` cells would divide them: none unless it pays.
std::optional<TileSize> choose_overlapping_tile(const Target& target, kernel::Scalar element,
                                                int64_t rows, int64_t columns, int64_t cells);
// Sums that a tile of so many cells keeps of each, step by step in turn, so that multiply-adds
// don't wait for one another.
int sums_a_cell(const Target& target, int cells);
// The same where both operands have lanes (depthwise): a row of so many pixels by channels, each of
// which has `multiplier` results.
TileSize choose_depthwise_tile(const Target& target, kernel::Scalar element, int64_t pixels,
                               int64_t channels, int64_t multiplier, bool masks);

// Steps of the reduction that one iteration of its loop takes, of a tile of so many cells;
// `whole_vectors`: a row's next elements are loaded together, `lanes` of them; `floats`: so are
// sums.
int64_t steps_an_iteration(const Target& target, int64_t count, int cells, bool whole_vectors,
                           int lanes, bool floats = true);

}  // namespace hlocc::costs
