// A convolution that hands on its rows, some at a time, in scratch: to the next convolution of a
// chain, or to a pool.
#pragma once
#include "lowering/convolution/convolution_row.h"

namespace hlocc::lowering {

struct RowStage {
  Convolution convolution;
  // The instruction that the next one reads: the convolution or what is fused behind it.
  hlo::InstructionId result = hlo::kNone;
  kernel::BufferId buffer = kernel::kNone;
  hlo::Shape shape = {};  // of the buffer: the rows that it holds

  // From now on finished values go to `rows` rows of scratch, each to row `place(row)` of it. The
  // stage stays where it is.
  void hand_on(const char* name, int64_t rows, std::function<Affine(const Affine& row)> place);
  // The row of scratch that is the `row`-th one's in turn.
  Affine in_ring(const Affine& row) const {
    return convolution.e.divmod(row, shape.dimensions[1]).second;
  }
};

// Input rows that a block of `block` output rows sees with this window, of which those past the
// stride times the block are seen by the next block too.
inline int64_t rows_seen(const hlo::WindowDimension& w, int64_t block) {
  return block * w.stride + w.size - w.stride;
}
// Input rows that a block needs beyond the stride times the rows up to its end.
inline int64_t rows_ahead(const hlo::WindowDimension& w) {
  return w.size - w.stride - w.padding_low;
}
inline int64_t row_bytes(const hlo::Shape& feature_map) {
  return feature_map.byte_size() / (feature_map.dimensions[0] * feature_map.dimensions[1]);
}

// A convolution and the pool `pool` that reads its rows.
void schedule_pooled_rows(Emitter& emitter, hlo::InstructionId pool);

}  // namespace hlocc::lowering
