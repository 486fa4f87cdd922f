// Which fusions pay: what passes over memory cost, against code, registers and what has to stay
// alive. transforms/ finds what may be joined, and asks here whether it should be.
#pragma once
#include <cstddef>
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// Formulas of so few operations on indices and single constants are computed where they are used.
inline constexpr int kCheapFormula = 3;
// A group of several results: how many instructions and results it may have, and readers of one
// value that are tried as partners.
inline constexpr size_t kMostMembers = 64, kMostResults = 6;
inline constexpr int kMostReaders = 16;

// Instructions for an element that a group may have. Beyond some size a kernel gains nothing from
// one more member: registers are long full, and the time to compile it grows faster than its code.
// Where flash is constrained, long chains are left to kernels that several parts of them share.
int most_group_cost(const Target& target);
// Instructions behind a contraction, each of which every result of a tile has code for: of longer
// ones the rest is a loop of its own, in place. `several_results`: where flash is constrained, a
// pass over memory costs less than that.
int longest_epilogue(const Target& target, bool several_results);
// A dot reads heads of attention as strides, through the transpose behind which they lie: what they
// read stays alive longer.
bool reads_through_views(const Target& target);
// It reads its right side so where that lies in state or is known, so that nothing lives longer: of
// so few rows that a copy of it would hardly be read again.
bool reads_state_in_place(const Target& target, int64_t rows);
// Instructions of a group of rows: longer chains of reductions are several kernels.
inline constexpr size_t kMostRowMembers = 200;
// Rows of a reduction are worth a schedule of their own; short ones are better served many at a
// time in one vector.
bool rows_pay(const Target& target, int64_t row_lanes);
// Gates of recurrent cells behind their products, of so many rows.
bool gates_pay(const Target& target);
inline constexpr int64_t kMostGateRows = 4;
// Weights [depth, columns] that a loop multiplies a few rows by in every iteration: read in a
// serpentine.
bool serpentine_pays(const Target& target, int64_t rows, int64_t weight_bytes);

// Rows of a convolution handed on in scratch, so many bytes in all, beside weights that block after
// block reads: between a depthwise convolution and those around it.
bool chains_by_rows(const Target& target);
bool row_tiles_pay(const Target& target, int64_t bytes_handed_on, int64_t weight_bytes);
// The same in front of a pool, whose window sees `window` of the `rows` rows.
bool pooled_rows_pay(const Target& target, int64_t window, int64_t rows, int64_t bytes_handed_on,
                     int64_t weight_bytes);
// Inputs of a first layer, which may stand before a depthwise convolution as a 1x1 does.
inline constexpr int64_t kFirstLayerInputs = 4;

}  // namespace hlocc::costs
