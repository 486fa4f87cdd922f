// Tiles of m x m outputs are taken in blocks. For each block: every tile's (m + 2)^2 inputs are
// transformed, in vectors of channels, into one plane of scratch a point; for each panel of output
// features the planes are multiplied with the panel's transformed filter, which is one small matrix
// product a point; the sums are transformed back and handed to what is fused behind the
// convolution. Planes lie a little more than their size apart, so that the points of one tile don't
// meet in one set of a cache. Tiles that reach over the border of the input are first copied, with
// zeros around them, into a patch; tiles that reach over the border of the output leave it by a
// patch. A pool whose windows divide the tiles takes its elements from registers.
#include "lowering/convolution/winograd.h"

#include <algorithm>
#include <span>

#include "kernel/share/share_kernels.h"
#include "lowering/convolution/winograd_emission.h"
#include "lowering/convolution/winograd_transforms.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::kNone;
using kernel::Predicate;
using kernel::Scalar;
using kernel::ValueId;
using kernel::Values;

Winograd::Winograd(Emitter& emitter, InstructionId id, const WinogradPlan& plan, InstructionId pool)
    : e_(emitter),
      b_(emitter.b),
      id_(id),
      pool_(pool),
      i_(emitter.instruction(id)),
      plan_(plan),
      input_(emitter.shape(i_.operands[0]).dimensions),
      output_(used_outputs()),
      window_(i_.get<hlo::ConvolutionAttributes>().window.dimensions) {
  const std::vector<ColumnRun> runs = costs::cut_columns(output_[3], plan.tile);
  const hlo::Literal& filter = *e_.constant_of(i_.operands[1]);
  const std::vector<float> panels =
      transform_filter(plan.m, filter.data<float>(), inputs(), output_[3], runs);
  const auto bytes = std::as_bytes(std::span(panels));
  const int alignment = plan.tile.lanes * 4;
  filter_ =
      e_.derived_constant("winograd filter", Scalar::kF32, {bytes.begin(), bytes.end()}, alignment);
  const int64_t apart = e_.target().has_cache() ? 16 : 0;
  input_plane_ = plan.block * inputs() + apart;
  sum_plane_ = plan.block * panel_width() + apart;
  transformed_ = e_.scratch("transformed", Scalar::kF32, plan.points() * input_plane_, alignment);
  // The patch is done with when the sums begin.
  const int64_t patch = has_input_border() ? plan.points() * inputs() : 0;
  sums_ = e_.scratch("sums", Scalar::kF32, std::max(patch, plan.points() * sum_plane_), alignment);
  if (has_output_border() || !spells_outputs())
    edge_ = e_.scratch("edge", Scalar::kF32, int64_t{plan.m} * plan.m * plan.tile.lanes, alignment);
}

// A tile of rows may run past the last of a block: it multiplies what lies there, and none reads
// the sums.
void Winograd::run() {
  const int64_t tiles = output_[0] * tile_rows() * tile_columns();
  const auto block = [&](Affine first, std::span<const ValueId>) {
    const Affine count =
        tiles % plan_.block == 0
            ? Affine::constant(plan_.block)
            : Affine::of(b_.min(b_.value_of(first.times(-1).plus(tiles)), b_.index(plan_.block)));
    transform_inputs(first, count);
    for (const ColumnRun& run : costs::cut_columns(output_[3], plan_.tile)) {
      const auto panel = [&](Affine column, std::span<const ValueId>) {
        multiply(run, column, count);
        transform_outputs(run, column, first, count);
        return Values{};
      };
      e_.loop(run.begin, run.end, run.step(), {}, panel, false, true);
    }
    return Values{};
  };
  e_.loop(0, tiles, plan_.block, {}, block, false, true);
}

hlo::Dimensions Winograd::used_outputs() const {
  hlo::Dimensions used = i_.shape.dimensions;
  if (pool_ == hlo::kNone) return used;
  for (int d : {1, 2}) used[d] = e_.shape(pool_).dimensions[d] * side_of_cell();
  return used;
}

Winograd::Place Winograd::place(const Affine& tile) {
  const auto [row, x] = e_.divmod(tile, tile_columns());
  if (output_[0] == 1) return {Affine{}, row.times(plan_.m), x.times(plan_.m)};
  const auto [batch, y] = e_.divmod(row, tile_rows());
  return {batch, y.times(plan_.m), x.times(plan_.m)};
}

bool Winograd::ends_outside(int d) const {
  const int64_t last = (ceil_div(output_[d + 1], plan_.m) - 1) * plan_.m - window_[d].padding_low;
  return last + plan_.side() > input_[d + 1];
}

bool Winograd::has_input_border() const {
  return starts_outside(0) || ends_outside(0) || starts_outside(1) || ends_outside(1);
}

ValueId Winograd::at_least(const Affine& at, int64_t low) {
  return b_.compare(Predicate::kGe, b_.value_of(at), b_.index(low));
}

ValueId Winograd::at_most(const Affine& at, int64_t high) {
  return b_.compare(Predicate::kLe, b_.value_of(at), b_.index(high));
}

void Winograd::choose(ValueId condition, const std::function<void()>& inside,
                      const std::function<void()>& outside) {
  if (condition == kNone) return inside();
  e_.if_else(
      condition, [&] { return inside(), Values{}; }, [&] { return outside(), Values{}; });
}

ValueId Winograd::sees_input_only(const Place& place) {
  ValueId condition = kNone;
  const Affine starts[] = {input_at(0, place.y), input_at(1, place.x)};
  for (int d = 0; d < 2; ++d) {
    if (starts_outside(d)) condition = both(condition, at_least(starts[d], 0));
    if (ends_outside(d))
      condition = both(condition, at_most(starts[d], input_[d + 1] - plan_.side()));
  }
  return condition;
}

void Winograd::multiply(const ColumnRun& run, const Affine& column, const Affine& count) {
  const Affine panel = column.times(plan_.points() * inputs());
  const int64_t width = run.step();
  b_.loop(plan_.points(), [&](ValueId point) {
    kernel::Loop rows;
    rows.upper = count;
    rows.step = plan_.tile.rows;
    b_.loop(rows, [&](ValueId row) {
      const Tile tile{Affine::of(row), column, plan_.tile.rows, run.vectors, run.lanes};
      const Affine left = Affine::of(point, input_plane_).plus(Affine::of(row, inputs()));
      const Affine right = panel.plus(Affine::of(point, inputs() * width));
      const Values sums = multiply_tile(tile, left, right);
      for (int r = 0; r < tile.rows; ++r)
        for (int v = 0; v < tile.vectors; ++v)
          b_.store(sums_,
                   Affine::of(point, sum_plane_)
                       .plus(Affine::of(row, width))
                       .plus(r * width + int64_t{v} * run.lanes),
                   sums[r * tile.vectors + v]);
    });
  });
}

Values Winograd::multiply_tile(const Tile& tile, const Affine& left, const Affine& right) {
  const int64_t width = int64_t{tile.vectors} * tile.lanes;
  e_.tile_emitted({tile.rows, tile.vectors, tile.lanes});
  Operands operands;
  operands.a_contiguous = true;
  // Sums are short, and every layer's code is its own.
  if (kernel::shares_kernels(e_.target()) && e_.target().vector_bits == 0) operands.steps = 2;
  operands.a = [&](int r, const Affine& k, int lanes) {
    return Element{b_.load(transformed_, left.plus(k).plus(r * inputs()), lanes)};
  };
  operands.b = [&](int v, const Affine& k) {
    return Element{
        b_.load(filter_, right.plus(k.times(width)).plus(int64_t{v} * tile.lanes), tile.lanes)};
  };
  const Values zero(tile.rows * tile.vectors,
                    b_.zero({Scalar::kF32, static_cast<uint16_t>(tile.lanes)}));
  return reduce(e_, tile, inputs(), zero, operands);
}

void emit(Convolution& c, const WinogradPlan& plan, InstructionId pool) {
  c.e.choice.algorithm = kernel::Algorithm::kWinograd;
  c.e.choice.outputs = plan.m;
  Winograd(c.e, c.id, plan, pool).run();
}

}  // namespace hlocc::lowering
