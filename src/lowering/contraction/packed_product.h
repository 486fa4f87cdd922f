// Products of bytes with known bytes by the micro-kernels that take several steps of the reduction
// at once, and what brings their left side to scratch.
#pragma once
#include "lowering/contraction/contraction.h"
#include "lowering/contraction/left_rows.h"

namespace hlocc::lowering {

// result[m, n] = sum over segments s and k of left(m, s * length + k) * right[s * length + k, n].
struct PackedProduct {
  int64_t rows = 1, columns = 1;
  int64_t segments = 1, length = 1;
  hlo::InstructionId left = hlo::kNone, right = hlo::kNone;
  hlo::InstructionId bias = hlo::kNone;  // known s32[columns] that sums begin with; kNone: zero
  kernel::Scalar sum = kernel::Scalar::kS32;
  // All steps of a row lie side by side: `load` gives `lanes` of them from step k on.
  bool left_contiguous = false;
  std::function<kernel::ValueId(const Affine& row, const Affine& k, int lanes)> load;
  // Copies row `row` to row `slot` of the scratch, segment s to step s * `segment` on; the filling
  // between them need not be written. Empty: by `load`.
  std::function<void(const LeftRows& to, const Affine& slot, const Affine& row, int64_t segment)>
      bring;
  // Rows of a tile that overlap in scratch: segments lie `pitch` steps apart, in each of which a
  // row begins `distance` steps behind the one before. `bring` then brings a whole tile. 0: they
  // don't.
  int64_t pitch = 0, distance = 0;
  bool in_pairs = false;  // the steps of two neighbours lie side by side (left_rows.h)
  // Rows whose left sides lie in scratch together, so many steps of it: `bring` brings those from
  // `first` on, segment s of row `row` of them begins at step `place`, and rows of a tile are
  // `distance` apart. No rows: they don't.
  struct Block {
    int64_t rows = 0, steps = 0;
    std::function<void(const LeftRows& to, const Affine& first)> bring;
    std::function<Affine(const Affine& row, const Affine& segment)> place;
  };
  Block block;
  std::function<void(const Affine& row, const Affine& column, int lanes, kernel::ValueId value)>
      store;
};

void multiply_packed(Emitter& e, const PackedProduct& product, const costs::MicroChoice& choice,
                     const MicroKernelSet& set = {});

// A dot of a matrix of bytes with a known one, by the wanted micro-kernel if it serves it, else by
// the cheapest of k steps; false where there is none.
bool multiply_packed_dot(Emitter& e, hlo::InstructionId id, kernel::MicroKernel wanted,
                         const MicroKernelSet& set = {});

}  // namespace hlocc::lowering
