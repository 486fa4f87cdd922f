// A contraction in groups of threads: a group brings a block of both sides to shared memory, waits,
// and adds up the products of the block, step by step of the reduction; each thread has some of the
// group's results. Operands and results are functions, as in contraction.h.
#pragma once
#include "costs/shared_tiles.h"
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

struct SharedContraction {
  costs::SharedProduct size;
  costs::SharedTile tile;
  // Neighbouring threads bring neighbouring rows of the left side, rather than steps.
  bool left_by_rows = false;
  // The same of the right side: neighbouring columns rather than steps.
  bool right_by_columns = true;
  // One element of a side, in the type of the sums; indices within the sizes.
  using Side =
      std::function<kernel::ValueId(const Affine& batch, const Affine& at, const Affine& step)>;
  Side left, right;
  std::function<void(const Affine& batch, const Affine& row, const Affine& column,
                     kernel::ValueId value)>
      store;
};

void contract_shared(Emitter& emitter, const SharedContraction& contraction);

// The place of an index into a flattened box of these sizes.
std::vector<Affine> unflattened(Emitter& emitter, const hlo::Dimensions& sizes, Affine position);

}  // namespace hlocc::lowering
