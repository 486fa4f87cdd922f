// A convolution and the pool behind it, in blocks of pooled rows: the rows that the windows of a block see lie in a ring in
// scratch, so that the picture between the two never exists, and no row is computed twice. Where Winograd's form wins, its tiles
// are pooled instead.
#include <algorithm>

#include "lowering/pooled_rows.h"
#include "lowering/row_stage.h"
#include "lowering/winograd.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using kernel::ValueId;

namespace {

class PooledConvolution {
 public:
  PooledConvolution(Emitter& e, InstructionId convolution, InstructionId pool)
      : e_(e), pool_(pool), window_(e.instruction(pool).get<hlo::WindowAttributes>().window.dimensions[1]),
        stage_{convolution_of(e, convolution), e.instruction(pool).operands[0]} {}

  void run() {
    const int64_t block = block_rows(), results = e_.shape(pool_).dimensions[1], whole = results / block * block;
    pack_dense(stage_.convolution);
    stage_.hand_on("rows", rows_seen(window_, block), [this](const Affine&) { return place_; });
    e_.loop(e_.shape(pool_).dimensions[0], [&](Affine batch) {
      e_.loop(whole, [&](Affine first) { run_block(batch, first, block); }, block);
      if (whole < results) run_block(batch, Affine::constant(whole), results - whole);
    });
  }

 private:
  // Pooled rows of a block: as many as the cache holds, without one as few as there can be.
  int64_t block_rows() const {
    const hlo::Shape& picture = e_.shape(stage_.result);
    int64_t block = 1;
    if (!e_.target().cache) return block;
    while (block < e_.shape(pool_).dimensions[1] && rows_seen(window_, block + 1) * row_bytes(picture) <= kCachedRowBytes) ++block;
    return block;
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

  void run_block(const Affine& batch, const Affine& first, int64_t block) {
    const Affine end = first.plus(block).times(window_.stride).plus(rows_ahead(window_));
    OuterRows rows;
    rows.between = {first_row(first), Affine::of(e_.b.min(e_.b.value_of(end), e_.b.index(stage_.convolution.output_extent(0))))};
    rows.enter = [this](const Affine& row) { place_ = stage_.in_ring(row); };
    convolve_dense_rows(stage_.convolution, batch, rows);
    e_.keep(stage_.result, stage_.buffer, stage_.shape);
    pool_rows(e_, pool_, {batch, first, block, [this](const Affine& row) { return stage_.in_ring(row); }});
    e_.forget(stage_.result);
  }

  Emitter& e_;
  const InstructionId pool_;
  const hlo::WindowDimension& window_;  // of the pool, along the rows
  RowStage stage_;
  Affine place_;  // of the row that is convolved
};

}  // namespace

void schedule_pooled_rows(Emitter& e, InstructionId pool) {
  for (InstructionId id : inner_instructions(e.group()))
    if (e.instruction(id).opcode == hlo::Opcode::kConvolution) {
      if (!schedule_winograd(e, id, pool)) PooledConvolution(e, id, pool).run();
      return;
    }
  e.fail(error(DiagnosticKind::kInternal, "a group of pooled rows without a convolution"));
}

}  // namespace hlocc::lowering
