// How much code a schedule spells out: taps, pixels at the ends of rows, several elements an
// iteration, branches around what is seldom taken. Fewer where flash is constrained, none at -Os.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// Windows wider than this are loops, not spelled out tap by tap.
inline constexpr int64_t kWidestUnrolled = 8;
// Pixels at an end of a row that have code of their own, each with the taps that it sees, of a
// convolution whose lanes run along the row.
int64_t most_pixels_alone(const Target& target);
// The same at each end of a row of a dense convolution's tiles.
int most_tiles_alone(const Target& target);
// Taps of one tile of a pool that are spelled out.
int64_t most_taps(const Target& target);
// Elements that one iteration of a reduction takes, over so many in all.
int64_t elements_an_iteration(const Target& target, int64_t elements);
// Whether loops over so many elements are worth code that takes several at a time.
bool several_pay(const Target& target, int64_t elements);
// Elements that a register holds of an array that is copied, where there are no vectors and the
// chip loads and stores registers from anywhere; 0: it is not worth code of its own.
int copied_lanes(const Target& target, int element_bits);
// Parts of a concatenation that one loop writes, so that they share what they load.
inline constexpr int kMostPartsInLoop = 32;

// Rows of a dense convolution that layers share: in a short one few pixels would be left over, and
// another number of them in every layer, so its tiles are low.
int64_t pixels_for_shared_tile(int64_t inside);
// Bytes of rows that are read again and again, where there are caches: a share of the second one.
int64_t cached_row_bytes(const Target& target);

// An arm of a select that is long and has no other use is computed behind a branch: instructions of
// the longer arm from which that pays, of scalars; of a vector, whose lanes may part ways; lanes up
// to which they seldom do.
inline constexpr int kBranchPays = 8, kVectorBranchPays = 12, kMostLanesBehindBranch = 8;

// A tile of a recurrent cell's gates: rows, and vectors of columns that each gate has.
struct GatesTile {
  int rows = 1, vectors = 1;
};
// As many vectors as keep the arithmetic busy; without vectors as many as the registers hold,
// because all sums of a row share what is loaded of the left side. `wide`: sums of 64 bits.
GatesTile choose_gates_tile(const Target& target, int gates, int64_t rows, int64_t width, int lanes,
                            bool wide);

}  // namespace hlocc::costs
