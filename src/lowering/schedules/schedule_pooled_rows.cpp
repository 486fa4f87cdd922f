// A convolution and the pool behind it, in blocks of pooled rows: the rows that the windows of a
// block see lie in a ring in scratch, so that the feature map between the two never exists, and no
// row is computed twice. Where Winograd's form wins, its tiles are pooled instead.
#include <algorithm>

#include "costs/row_blocks.h"
#include "lowering/convolution/winograd.h"
#include "lowering/schedules/pooled_rows.h"
#include "lowering/schedules/row_stage.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using kernel::ValueId;

namespace {

class PooledConvolution {
 public:
  PooledConvolution(Emitter& e, InstructionId convolution, InstructionId pool)
      : e_(e),
        pool_(pool),
        window_(e.instruction(pool).get<hlo::WindowAttributes>().window.dimensions[1]),
        stage_{convolution_of(e, convolution), e.instruction(pool).operands[0]} {}

  void run() {
    block_ = block_rows(pack_dense(stage_.convolution));
    stage_.hand_on("rows", rows_seen(window_, block_),
                   [this](const Affine& row) { return is_signal() ? place(row) : place_; });
    e_.loop(e_.shape(pool_).dimensions[0], [&](Affine batch) {
      e_.loop(
          results(), [&](Affine first) { run_block(batch, first); }, block_);
    });
  }

 private:
  // One dimension: rows of one pixel.
  bool is_signal() const { return stage_.convolution.spatial() == 1; }
  int64_t results() const { return e_.shape(pool_).dimensions[1]; }

  // Pooled rows of a block: one at least, of a signal two tiles' pixels.
  int64_t block_rows(int64_t tile) const {
    const int64_t bytes = row_bytes(e_.shape(stage_.result)),
                  least = is_signal() ? std::min((2 * tile + window_.stride - 1) / window_.stride,
                                                 results())
                                      : 1;
    return costs::rows_of_pool(e_.target(), results(), least,
                               {window_.stride * bytes, rows_seen(window_, 0) * bytes});
  }

  // Where a row of the feature map lies; rows that the next block sees too lie in a ring.
  Affine place(const Affine& row) const {
    return window_.size == window_.stride ? row.plus(low_.times(-1)) : stage_.in_ring(row);
  }

  // The first block begins with the first row, others where the one before ended.
  Affine first_row(const Affine& first) {
    const int64_t ahead = rows_ahead(window_);
    const Affine low = first.times(window_.stride).plus(ahead);
    if (ahead == 0) return low;
    kernel::Builder& b = e_.b;
    const ValueId begins = b.compare(kernel::Predicate::kEq, b.value_of(first), b.index(0));
    return Affine::of(b.select(begins, b.index(0), b.value_of(low)));
  }
  Affine at_most(const Affine& value, int64_t most) {
    return Affine::of(e_.b.min(e_.b.value_of(value), e_.b.index(most)));
  }

  void run_block(const Affine& batch, const Affine& first) {
    const Affine past =
        results() % block_ == 0 ? first.plus(block_) : at_most(first.plus(block_), results());
    low_ = first_row(first);
    const Affine high = at_most(past.times(window_.stride).plus(rows_ahead(window_)),
                                stage_.convolution.output_extent(0));
    if (is_signal()) {
      convolve_dense_pixels(stage_.convolution, batch, {low_, high});
    } else {
      OuterRows rows;
      rows.between = {low_, high};
      rows.enter = [this](const Affine& row) { place_ = place(row); };
      convolve_dense_rows(stage_.convolution, batch, rows);
    }
    e_.keep(stage_.result, stage_.buffer, stage_.shape);
    pool_rows(e_, pool_, {batch, first, past, [this](const Affine& row) { return place(row); }});
    e_.forget(stage_.result);
  }

  Emitter& e_;
  const InstructionId pool_;
  const hlo::WindowDimension& window_;  // of the pool, along the rows
  RowStage stage_;
  int64_t block_ = 1;
  Affine low_;    // the first row that the block convolves
  Affine place_;  // of the row that is convolved
};

}  // namespace

void schedule_pooled_rows(Emitter& e, InstructionId pool) {
  for (InstructionId id : inner_instructions(e.group()))
    if (e.instruction(id).opcode == hlo::Opcode::kConvolution) {
      Convolution c = convolution_of(e, id);
      c.stored = e.shape(pool).dimensions[1] * e.shape(pool).dimensions[2];
      if (const auto plan = costs::WinogradPlan::of(c, e.target())) return emit(c, *plan, pool);
      return PooledConvolution(e, id, pool).run();
    }
  e.fail(error(DiagnosticKind::kInternal, "a group of pooled rows without a convolution"));
}

}  // namespace hlocc::lowering
