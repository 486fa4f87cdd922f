// Lanes along the reduction: vectors of partial sums for each result, whose lanes are added up at
// the end. For rows times rows, and for so few columns, or so few last ones, that vectors across
// them would leave lanes idle.
#pragma once
#include <cstdint>
#include <vector>

#include "costs/runs.h"
#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::costs {

// Columns of a contraction that have vectors of so many lanes along the reduction; 1: none have.
struct ReductionLanes {
  int lanes = 1;
  int64_t columns = 0;
};

struct InnerTile {
  int rows = 1, columns = 1;
};
// The largest tile that fits the registers: its sums, a column's vectors and one of a row. Columns
// are added up in pairs, but where masks cost nothing (`masks`: for all that the group reads and
// writes) their number is free.
InnerTile choose_inner_tile(const Target& target, int64_t rows, int64_t columns, int lanes,
                            bool masks);

// The columns for which vectors along a reduction of `depth` steps pay, `contiguous` of which lie
// side by side: all of very few, or the last ones, which would leave most lanes of a vector idle.
ReductionLanes choose_reduction_lanes(const Target& target, kernel::Scalar accumulator,
                                      int64_t depth, int64_t contiguous, int64_t columns);
// The runs of the last columns, in tiles of that height.
std::vector<ColumnRun> cut_reduction_lanes(const Target& target, ReductionLanes chosen,
                                           int64_t columns, int height, bool masks);
// Whether an f32 right side that is not known at compile time, of fewer columns than a vector has
// lanes, should lie as [columns, depth], so that both sides are read along the reduction.
bool wants_rows(const Target& target, int64_t rows, int64_t depth, int64_t columns);

}  // namespace hlocc::costs
