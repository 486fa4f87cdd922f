// What lowering takes of costs/ in all its schedules: tiles and runs of them; a register tile and
// its accumulators.
#pragma once
#include "costs/micro_kernels.h"
#include "costs/reduction_lanes.h"
#include "costs/tiles.h"
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

using costs::ColumnRun;
using costs::ReductionLanes;
using costs::RowRun;
using costs::TileSize;

// The accumulators of a tile, row by row; real parts first.
using Accumulators = kernel::Values;

struct MicroKernelEmitter;  // micro_kernel.h
extern const MicroKernelEmitter kOuterProduct;

// A register tile: rows by vectors of columns, and the micro-kernel that makes it.
struct Tile {
  Affine row, column;  // the tile's first
  int rows = 1, vectors = 1, lanes = 1;
  bool bordered = false;  // of a bordered run
  int active = 0;         // columns in the last vector, if fewer than lanes
  bool is_complex = false;
  int k_step = 1;  // steps of the reduction that a step of the micro-kernel takes
  const costs::MicroKernel* kernel = &costs::outer_product();
  const MicroKernelEmitter* emitter = &kOuterProduct;

  int cells() const { return rows * vectors; }
  int active_of(int vector) const { return vector == vectors - 1 ? active : 0; }
  int width() const { return vectors * lanes - (active > 0 ? lanes - active : 0); }
};

// Both sides of a convolution or a dot are integers of 8 bits.
bool are_bytes(const Emitter& emitter, const hlo::Instruction& product);

// acc + a * b in the accumulator's type; fused or not, as the target likes. Counted as a product,
// if the kernel's micro-kernel has no other ones.
kernel::ValueId multiply_accumulate(Emitter& emitter, kernel::ValueId acc, kernel::ValueId a,
                                    kernel::ValueId b);
// acc + the products of several lanes, counted as one.
kernel::ValueId dot_accumulate(Emitter& emitter, kernel::ValueId acc, kernel::ValueId a,
                               kernel::ValueId b);

}  // namespace hlocc::lowering
