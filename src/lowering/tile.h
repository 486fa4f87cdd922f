// Register tiles of an outer product: MR rows by NV vectors of accumulators that stay in registers, for dot and
// convolution alike. result[m, n] = sum over k of a(m, k) * b(k, n); lanes run along n.
#pragma once
#include "lowering/emitter.h"

namespace hlocc::lowering {

struct TileSize {
  int rows = 1, vectors = 1, lanes = 1;
};

// The largest tile that fits the target's registers (MR * NV + NV + 1), for elements of so many bits.
TileSize choose_tile(const Target& target, kernel::Scalar element, int64_t rows, int64_t columns);

// The columns 0 .. count, cut into runs that one tile shape serves: full tiles first, then narrower ones.
struct ColumnRun {
  int64_t begin = 0, end = 0;
  int vectors = 1, lanes = 1;
  int64_t step() const { return int64_t{vectors} * lanes; }
};
std::vector<ColumnRun> cut_columns(int64_t count, TileSize tile);

// The accumulators of a tile, row by row.
using Accumulators = kernel::Values;

// acc + a * b in the accumulator's type; fused or not, as the target likes.
kernel::ValueId multiply_accumulate(Emitter& emitter, kernel::ValueId acc, kernel::ValueId a, kernel::ValueId b);

}  // namespace hlocc::lowering
