// A pool (a reduce-window over feature maps [batch, row, column, feature], or over signals [batch,
// row, feature]) behind a convolution, whose feature map is never whole: rows of it lie in scratch,
// or the elements of a window are in registers.
#pragma once
#include <functional>

#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

struct PooledRows {
  Affine batch, low, high;  // of the results, [low, high) of their rows
  // Where row `row` of the input lies in what the input is kept in.
  std::function<Affine(const Affine& row)> input_row;
};

// Computes these rows of results of reduce-window `id` and stores the group's roots there. Windows
// take no steps along batch and features.
void pool_rows(Emitter& emitter, hlo::InstructionId id, const PooledRows& rows);
// Result `index` of reduce-window `id`, whose window has these elements, in their order.
void pool_elements(Emitter& emitter, hlo::InstructionId id, const Index& index,
                   const std::vector<Element>& elements);

}  // namespace hlocc::lowering
