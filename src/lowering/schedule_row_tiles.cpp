// Row tiles (transforms/fuse_row_tiles.cpp finds them): a depthwise convolution and the 1x1 that follows it, and where there is
// one the 1x1 before it, in blocks of output rows. What one convolution hands to the next lies in scratch that stays in the
// nearest caches: the depthwise rows of a block, and a ring of the rows that the depthwise windows of a block see, so that
// no row is computed twice.
#include <algorithm>

#include "lowering/convolution_row.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using hlo::Opcode;
using kernel::ValueId;
using kernel::Values;

namespace {

// What the rows in scratch may take with a cache: a share of the second one.
constexpr int64_t kCachedBytes = 256 * 1024;

// A convolution that hands on rows of `result`, the instruction that the next one reads.
struct Stage {
  Convolution convolution;
  InstructionId result = hlo::kNone;
  kernel::BufferId buffer = kernel::kNone;
  hlo::Shape shape = {};  // of the buffer: the rows that it holds

  void allocate(Emitter& e, const char* name, int64_t rows) {
    const hlo::Shape& whole = e.shape(result);
    shape = hlo::Shape::array(whole.element_type, {1, rows, whole.dimensions[2], whole.dimensions[3]});
    const int width = e.target().vector_bits / 8;
    buffer = e.scratch(name, e.scalar(whole), shape.element_count(), width);
  }
};

// Tiles of the pixels of one row of a 1x1 convolution, for all rows that `rows` calls it for.
struct PointwiseRows {
  const Convolution& c;
  Contraction k = {};
  Affine batch = {}, row = {}, input_row = {};

  explicit PointwiseRows(const Convolution& convolution) : c(convolution) {
    k.accumulator = c.sum;
    choose_runs(c.e.target(), k, c.output_extent(1), c.group_outputs());
    c.pack_filter(k.columns);
    k.accumulate = [this](const Contraction::Tile& tile, Accumulators acc) {
      Operands operands;
      operands.a = [&](int r, const Affine& step, int lanes) {
        return c.load_input(batch, {input_row, tile.row.plus(r)}, step, lanes);
      };
      operands.b = [&](int v, const Affine& step) {
        return c.load_filter({Affine{}, Affine{}}, step, tile.column, v, tile.vectors, tile.lanes);
      };
      operands.a_contiguous = true;
      return reduce_steps(c.e, tile, false, c.group_inputs(), std::move(acc), operands);
    };
    k.store = [this](Affine x, Affine column, int lanes, Element value) { c.finish(batch, {row, x}, column, lanes, value); };
  }
  PointwiseRows(const PointwiseRows&) = delete;

  // `loop` runs over the rows and calls what it is given with each.
  void run(const Affine& of_batch, const std::function<void(const std::function<void(const Affine&)>&)>& loop) {
    batch = of_batch;
    for (const ColumnRun& columns : k.columns)
      c.e.loop(columns.begin, columns.end, columns.step(), {}, [&](Affine column, std::span<const ValueId>) {
        loop([&](const Affine& at) {
          row = at;
          input_row = c.input_row ? c.input_row(at) : at;
          contract_rows(c.e, k, column, columns);
        });
        return Values{};
      });
  }
};

class RowTiles {
 public:
  RowTiles(Emitter& e, const std::vector<InstructionId>& heroes)
      : e_(e),
        project_(convolution_of(e, heroes.back())),
        depthwise_{convolution_of(e, heroes[heroes.size() - 2]), project_.i.operands[0]} {
    if (heroes.size() == 3) expand_.emplace(Stage{convolution_of(e, heroes[0]), depthwise_.convolution.i.operands[0]});
  }

  void run() {
    PointwiseRows project(project_);
    std::optional<PointwiseRows> expand;
    if (expand_) expand.emplace(expand_->convolution);
    block_ = block_rows(project.k.rows[0].height);
    if (expand_) hand_on(*expand_, "expanded", ring_rows(block_));
    hand_on(depthwise_, "depthwise", block_);
    expand_into_ring();
    e_.loop(project_.output.dimensions[0], [&](Affine batch) {
      if (expand && ahead() > 0) expand_rows(*expand, batch, Affine{}, Affine::constant(std::min(ahead(), expanded_rows())));
      e_.loop(project_.output_extent(0), [&](Affine first) { run_block(expand ? &*expand : nullptr, project, batch, first); }, block_);
    });
  }

 private:
  const hlo::WindowDimension& window() const { return depthwise_.convolution.window(0); }
  int64_t expanded_rows() const { return depthwise_.convolution.input_extent(0); }
  // Rows of the depthwise input that a block needs beyond the stride times the rows up to its end.
  int64_t ahead() const { return window().size - window().stride - window().padding_low; }
  int64_t ring_rows(int64_t block) const { return block * window().stride + window().size - window().stride; }
  static int64_t row_bytes(const hlo::Shape& s) { return s.byte_size() / (s.dimensions[0] * s.dimensions[1]); }

  // Output rows of a block; it divides their number. With a cache as many as it holds, without one as few as fill a tile.
  int64_t block_rows(int tile_height) const {
    const int64_t rows = project_.output_extent(0);
    int64_t best = 1;
    for (int64_t block = 1; block <= rows; ++block) {
      if (rows % block != 0) continue;
      const int64_t bytes = block * row_bytes(project_.input) + (expand_ ? ring_rows(block) * row_bytes(depthwise_.convolution.input) : 0);
      const bool fits = e_.target().cache ? bytes <= kCachedBytes : best * project_.output_extent(1) < tile_height;
      if (fits) best = block;
    }
    return best;
  }

  // Finished values of the stage go to its rows in scratch.
  void hand_on(Stage& stage, const char* name, int64_t rows) {
    stage.allocate(e_, name, rows);
    stage.convolution.store = [this, &stage](const Index& index) {
      const Element value = e_.element(stage.result, index);
      Index place = index;
      place.at[0] = Affine{};
      place.at[1] = place_;
      if (&stage == &depthwise_) place.at[1] = index.at[1].plus(first_.times(-1));
      e_.store(stage.buffer, stage.shape, place, value);
    };
  }
  void expand_into_ring() {
    if (expand_) depthwise_.convolution.input_row = [this](const Affine& row) { return in_ring(row); };
    project_.input_row = [this](const Affine& row) { return row.plus(first_.times(-1)); };
  }
  Affine in_ring(const Affine& row) const { return e_.divmod(row, expand_->shape.dimensions[1]).second; }

  void expand_rows(PointwiseRows& expand, const Affine& batch, const Affine& low, const Affine& high) {
    expand.run(batch, [&](const auto& row_at) {
      e_.loop(low, high, {}, [&](Affine row, std::span<const ValueId>) {
        place_ = in_ring(row);
        row_at(row);
        return Values{};
      });
    });
  }

  void run_block(PointwiseRows* expand, PointwiseRows& project, const Affine& batch, const Affine& first) {
    first_ = first;
    if (expand) {
      const Affine low = first.times(window().stride).plus(ahead()), high = low.plus(block_ * window().stride);
      const ValueId end = e_.b.min(e_.b.value_of(high), e_.b.index(expanded_rows()));
      expand_rows(*expand, batch, low, Affine::of(end));
      e_.keep(expand_->result, expand_->buffer, expand_->shape);
    }
    convolve_depthwise_rows(depthwise_.convolution, batch, first, block_);
    if (expand) e_.forget(expand_->result);
    e_.keep(depthwise_.result, depthwise_.buffer, depthwise_.shape);
    project.run(batch, [&](const auto& row_at) { e_.loop(block_, [&](Affine row) { row_at(first.plus(row)); }); });
    e_.forget(depthwise_.result);
  }

  Emitter& e_;
  Convolution project_;
  Stage depthwise_;
  std::optional<Stage> expand_;
  int64_t block_ = 1;
  Affine first_;  // row of the block
  Affine place_;  // where the expanded row lies
};

}  // namespace

void schedule_row_tiles(Emitter& e) {
  std::vector<InstructionId> heroes;
  for (InstructionId id : inner_instructions(e.group()))
    if (e.instruction(id).opcode == Opcode::kConvolution) heroes.push_back(id);
  if (heroes.size() != 2 && heroes.size() != 3)
    return e.fail(error(DiagnosticKind::kInternal, "a group of row tiles with another number of convolutions"));
  RowTiles(e, heroes).run();
}

}  // namespace hlocc::lowering
