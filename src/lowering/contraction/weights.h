// The known weights of a contraction, packed for each of its micro-kernels: the tiles of a run of
// columns read theirs.
#pragma once
#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

class Weights {
 public:
  // Weights `right`, row-major [depth, columns], for the runs that cut the columns of one of
  // `groups` equal parts, as far as their micro-kernels pack them.
  static Weights pack(Emitter& emitter, hlo::InstructionId right, int64_t depth, int64_t groups,
                      const std::vector<ColumnRun>& runs);
  // Whether micro-kernels other than outer products could pack it.
  static bool can_be_packed(const Emitter& emitter, hlo::InstructionId right);

  bool holds(const Tile& tile) const { return stream_of(tile) != nullptr; }
  // Vector `vector` of the tile at step k of a group's columns; along the reduction where that is
  // how the tile's micro-kernel reads.
  kernel::ValueId load(Emitter& emitter, const Tile& tile, const Affine& group, const Affine& k,
                       int vector) const;
  // While a tile that begins at row `row` reads steps [k, k + steps) of its columns, hints at its
  // share of the next ones, so that this one's multiply-adds hide the way from far memory. `rows`
  // rows walk down a column.
  void prefetch(Emitter& emitter, const Tile& tile, const Affine& group, const Affine& row,
                int64_t rows, const Affine& k, int64_t steps) const;

 private:
  struct Packed {
    const costs::MicroKernel* kernel;
    WeightStream stream;
  };
  const WeightStream* stream_of(const Tile& tile) const;

  std::vector<Packed> packed_;
  int64_t line_ = 1;  // elements of a cache line
};

}  // namespace hlocc::lowering
