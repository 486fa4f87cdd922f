// The code of micro-kernels (kernel/micro_kernels.def): how known weights are packed,
// how a tile of sums begins, takes a step and ends. The loops around it are contraction.h's, for
// all of them alike.
#pragma once
#include <array>
#include <span>

#include "costs/micro_kernels.h"
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

// Known weights [depth, columns of all groups] and the runs of columns whose tiles read them.
struct WeightOrder {
  hlo::InstructionId right = hlo::kNone;
  int64_t columns = 0, groups = 1;
  std::vector<ColumnRun> runs;  // of the columns of one group
  // For each step of the stream its row in the weights; -1 where it only fills up.
  std::vector<int64_t> steps;
  // Of micro-kernels that take k steps: the form of the left side, and known s32[columns] that sums
  // begin with (kNone: zero).
  const costs::MicroChoice* choice = nullptr;
  hlo::InstructionId bias = hlo::kNone;

  int64_t depth() const { return static_cast<int64_t>(steps.size()); }
};

// Known weights as tiles read them: of each tile's columns, k step after k step of the reduction,
// vector after vector, lane after lane, the steps of a unit.
struct WeightStream {
  kernel::BufferId weights = kernel::kNone;
  kernel::BufferId corrections = kernel::kNone;  // s32[columns]: what sums begin with; none: zero
  kernel::BufferId row_terms = kernel::kNone;    // s32[rows of a tile]: the same by row
  int64_t depth = 0;     // from one column to the next: steps, filled up to whole k steps or lines
  int64_t first = 0;     // the first column that it has
  int64_t of_group = 0;  // columns from one group to the next
  int64_t bytes = 0;
  bool pairs_fit = true;  // 16 bits hold two products of any bytes with bytes of a k step's halves
};

// How a tile gets its operands at step k of the reduction: a(row, k, lanes) with lanes along k, as
// elements or as vectors that lanes are taken from; b(vector, k), `k_step` steps of it where that
// is more than one.
struct Operands {
  std::function<Element(int row, const Affine& k, int lanes)> a;
  std::function<Element(int vector, const Affine& k)> b;
  // Two steps of the k step at k of `count` rows from an even one on (left_rows.h): one value of
  // all, or one of each where rows lie apart.
  std::function<kernel::Values(int row, const Affine& k, int half, int count)> halves;
  bool rows_apart = false;
  std::function<std::array<kernel::ValueId, 2>(int row, const Affine& k)> k_step;
  // Micro-kernels that take k steps read their weights themselves.
  const WeightStream* stream = nullptr;
  bool a_contiguous = false;  // neighbouring k of a row lie side by side in memory
  int64_t steps =
      0;  // steps that an iteration should take, where it divides their number; 0: what is fastest
  Affine from;  // the step at which the reduction begins
  // Called for every iteration of the reduction, which takes steps [k, k + steps): hints at what is
  // read later. May be empty.
  std::function<void(const Affine& k, int64_t steps)> ahead;
};

// What the sums of a tile begin with.
struct Beginning {
  kernel::Scalar sum = kernel::Scalar::kF32;
  // Of a vector of columns; empty: zero.
  std::function<kernel::ValueId(const Affine& column, int lanes)> columns;
  const WeightStream* stream = nullptr;
};

struct MicroKernelEmitter {
  // Nothing where weights had better be read as they lie.
  std::optional<WeightStream> (*pack)(Emitter& e, const WeightOrder& order);
  Accumulators (*start)(Emitter& e, const Tile& tile, const Beginning& beginning);
  // One step of a tile, which begins at step k of the reduction: sums[r][v] += a(r, k) * b(v, k).
  Accumulators (*step)(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                       const Affine& k);
  // How many columns `finish` gives at once: the sums of one row from `column` of the tile on, in a
  // vector of so many lanes.
  int (*lanes)(const Emitter& e, const Tile& tile);
  Element (*finish)(Emitter& e, const Tile& tile, const Accumulators& sums, int row, int column);
  // Vector v of packed weights at step k of a tile whose first column stands at `place` of the
  // stream; nullptr: steps read k steps themselves.
  kernel::ValueId (*load)(Emitter& e, const Tile& tile, const WeightStream& stream,
                          const Affine& place, const Affine& k, int v) = nullptr;
};

// By kernel::MicroKernel.
std::span<const MicroKernelEmitter* const> micro_kernel_emitters();

// Rows and their emitters. A test or a plug-in may put its own in the place of one.
struct MicroKernelSet {
  std::span<const costs::MicroKernel> rows = costs::micro_kernels();
  std::span<const MicroKernelEmitter* const> emitters = micro_kernel_emitters();

  const MicroKernelEmitter& emitter(const costs::MicroKernel& row) const {
    return *emitters[static_cast<size_t>(row.id)];
  }
};

// In micro_kernel_inner.cpp, _pairwise, _tiles and _k_steps; that of outer products is tile.h's.
extern const MicroKernelEmitter kInnerProduct, kMatrixAccumulate8, kDotAccumulate2,
    kDotAccumulate2InPlace, kDotAccumulate2Across, kDotAccumulate4Across, kDotAccumulate4Offset,
    kDotAccumulate16, kDotAccumulate8, kPairwiseAccumulate16, kMultiplyAccumulateOffset;

// Known weights in k steps: what all rows of k steps share.
std::optional<WeightStream> pack_k_steps(Emitter& e, const WeightOrder& order);
// Sums that lie in vectors across the columns.
int lanes_across(const Emitter& e, const Tile& tile);
// The sums of all lanes of each vector, side by side in one. Their number is a power of two, at
// most the lanes.
kernel::ValueId add_up(Emitter& emitter, kernel::Values vectors);

}  // namespace hlocc::lowering
