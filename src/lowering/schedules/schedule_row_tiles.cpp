// Row tiles (transforms/fusion/fuse_row_tiles.cpp finds them): a depthwise convolution and the 1x1
// that follows it, and where there is one the convolution before it, in blocks of output rows. What
// one convolution hands to the next lies in scratch that stays in the nearest caches: the depthwise
// rows of a block, and a ring of the rows that the depthwise windows of a block see, so that no row
// is computed twice. A convolution and the pool behind it run in the same way
// (schedule_pooled_rows.cpp).
#include <algorithm>

#include "costs/row_blocks.h"
#include "lowering/schedules/row_stage.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using hlo::Opcode;
using kernel::ValueId;

namespace {

class RowTiles {
 public:
  RowTiles(Emitter& e, const std::vector<InstructionId>& heroes)
      : e_(e),
        project_(convolution_of(e, heroes.back())),
        depthwise_{convolution_of(e, heroes[heroes.size() - 2]), project_.i.operands[0]} {
    if (heroes.size() == 3)
      expand_.emplace(RowStage{convolution_of(e, heroes[0]), depthwise_.convolution.i.operands[0]});
  }

  void run() {
    pack_dense(project_);
    if (expand_) pack_dense(expand_->convolution);
    block_ = block_rows();
    if (expand_) hand_on(*expand_, "expanded", ring_rows(block_));
    hand_on(depthwise_, "depthwise", block_);
    expand_into_ring();
    e_.loop(project_.form.output.dimensions[0], [&](Affine batch) {
      if (expand_ && ahead() > 0)
        expand_rows(batch, Affine{}, Affine::constant(std::min(ahead(), expanded_rows())));
      e_.loop(
          project_.output_extent(0), [&](Affine first) { run_block(batch, first); }, block_);
    });
  }

 private:
  const hlo::WindowDimension& window() const { return depthwise_.convolution.window(0); }
  int64_t expanded_rows() const { return depthwise_.convolution.input_extent(0); }
  int64_t ahead() const { return rows_ahead(window()); }
  int64_t ring_rows(int64_t block) const { return rows_seen(window(), block); }

  int64_t block_rows() const {
    const int tile = costs::choose_tile(e_.target(), project_.sum, project_.output_extent(1),
                                        project_.group_outputs())
                         .rows;
    costs::BlockBytes bytes{.a_row = row_bytes(project_.form.input)};
    if (expand_) {
      const int64_t expanded = row_bytes(depthwise_.convolution.form.input);
      bytes.a_row += window().stride * expanded;
      bytes.beside = ring_rows(0) * expanded;
    }
    return costs::rows_of_row_tiles(e_.target(), project_.output_extent(0),
                                    project_.output_extent(1), tile, bytes);
  }

  // Finished values of the stage go to its rows in scratch.
  void hand_on(RowStage& stage, const char* name, int64_t rows) {
    stage.hand_on(name, rows, [this, &stage](const Affine& row) {
      return &stage == &depthwise_ ? row.plus(first_.times(-1)) : place_;
    });
  }
  void expand_into_ring() {
    if (expand_)
      depthwise_.convolution.input_row = [this](const Affine& row) { return in_ring(row); };
    project_.input_row = [this](const Affine& row) { return row.plus(first_.times(-1)); };
  }
  Affine in_ring(const Affine& row) const { return expand_->in_ring(row); }

  void expand_rows(const Affine& batch, const Affine& low, const Affine& high) {
    OuterRows rows;
    rows.between = {low, high};
    rows.enter = [this](const Affine& row) { place_ = in_ring(row); };
    convolve_dense_rows(expand_->convolution, batch, rows);
  }

  void run_block(const Affine& batch, const Affine& first) {
    first_ = first;
    if (expand_) {
      const Affine low = first.times(window().stride).plus(ahead()),
                   high = low.plus(block_ * window().stride);
      const ValueId end = e_.b.min(e_.b.value_of(high), e_.b.index(expanded_rows()));
      expand_rows(batch, low, Affine::of(end));
      e_.keep(expand_->result, expand_->buffer, expand_->shape);
    }
    convolve_depthwise_rows(depthwise_.convolution, batch, first, block_);
    if (expand_) e_.forget(expand_->result);
    e_.keep(depthwise_.result, depthwise_.buffer, depthwise_.shape);
    convolve_dense_rows(project_, batch,
                        {block_, [first](const Affine& row) { return first.plus(row); }});
    e_.forget(depthwise_.result);
  }

  Emitter& e_;
  Convolution project_;
  RowStage depthwise_;
  std::optional<RowStage> expand_;
  int64_t block_ = 1;
  Affine first_;  // row of the block
  Affine place_;  // where the expanded row lies
};

}  // namespace

void schedule_row_tiles(Emitter& e) {
  std::vector<InstructionId> heroes;
  for (InstructionId id : inner_instructions(e.group())) {
    if (e.instruction(id).opcode == Opcode::kConvolution) heroes.push_back(id);
    if (e.instruction(id).opcode == Opcode::kReduceWindow) return schedule_pooled_rows(e, id);
  }
  if (heroes.size() != 2 && heroes.size() != 3)
    return e.fail(error(DiagnosticKind::kInternal,
                        "a group of row tiles with another number of convolutions"));
  RowTiles(e, heroes).run();
}

}  // namespace hlocc::lowering
