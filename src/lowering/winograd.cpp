// Tiles of m x m outputs are taken in blocks. For each block: every tile's (m + 2)^2 inputs are transformed, in vectors of
// channels, into one plane of scratch a point; for each panel of output features the planes are multiplied with the panel's
// transformed filter, which is one small matrix product a point; the sums are transformed back and handed to what is fused
// behind the convolution. Planes lie a little more than their size apart, so that the points of one tile don't meet in one
// set of a cache. Tiles that reach over the border of the input are first copied, with zeros around them, into a patch;
// tiles that reach over the border of the output leave it by a patch. A pool whose windows divide the tiles takes its elements
// from registers.
#include "lowering/winograd.h"

#include <algorithm>

#include "kernel/share/share_kernels.h"
#include "lowering/contraction.h"
#include "lowering/loop_ops.h"
#include "lowering/pooled_rows.h"
#include "lowering/winograd_plan.h"
#include "lowering/winograd_transforms.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::BufferId;
using kernel::kNone;
using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Where a tile stands: its image and its first output.
struct Place {
  Affine batch, y, x;
};

class Winograd {
 public:
  Winograd(Emitter& emitter, InstructionId id, const WinogradPlan& plan, InstructionId pool)
      : e_(emitter), b_(emitter.b), id_(id), pool_(pool), i_(emitter.instruction(id)), plan_(plan),
        input_(emitter.shape(i_.operands[0]).dimensions), output_(used_outputs()),
        window_(i_.get<hlo::ConvolutionAttributes>().window.dimensions) {
    const std::vector<ColumnRun> runs = cut_columns(output_[3], plan.tile);
    const hlo::Literal& filter = *e_.constant_of(i_.operands[1]);
    const std::vector<float> panels = transform_filter(plan.m, filter.data<float>(), inputs(), output_[3], runs);
    const auto bytes = std::as_bytes(std::span(panels));
    const int alignment = plan.tile.lanes * 4;
    filter_ = e_.derived_constant("winograd filter", Scalar::kF32, {bytes.begin(), bytes.end()}, alignment);
    const int64_t apart = e_.target().cache ? 16 : 0;
    input_plane_ = plan.block * inputs() + apart;
    sum_plane_ = plan.block * panel_width() + apart;
    transformed_ = e_.scratch("transformed", Scalar::kF32, plan.points() * input_plane_, alignment);
    // The patch is done with when the sums begin.
    const int64_t patch = has_input_border() ? plan.points() * inputs() : 0;
    sums_ = e_.scratch("sums", Scalar::kF32, std::max(patch, plan.points() * sum_plane_), alignment);
    if (has_output_border() || !spells_outputs())
      edge_ = e_.scratch("edge", Scalar::kF32, int64_t{plan.m} * plan.m * plan.tile.lanes, alignment);
  }

  void run() {
    const int64_t tiles = output_[0] * tile_rows() * tile_columns();
    e_.loop(0, tiles, plan_.block, {}, [&](Affine first, std::span<const ValueId>) {
      const Affine count = tiles % plan_.block == 0
                               ? Affine::constant(plan_.block)
                               : Affine::of(b_.min(b_.value_of(first.times(-1).plus(tiles)), b_.index(plan_.block)));
      transform_inputs(first, count);
      for (const ColumnRun& run : cut_columns(output_[3], plan_.tile))
        e_.loop(run.begin, run.end, run.step(), {}, [&](Affine column, std::span<const ValueId>) {
          multiply(run, column, count);
          transform_outputs(run, column, first, count);
          return Values{};
        });
      return Values{};
    });
  }

 private:
  // Outputs along each side of what is handed on at a time: a window of the pool, or one output.
  int side_of_cell() const {
    return pool_ == hlo::kNone ? 1 : static_cast<int>(e_.instruction(pool_).get<hlo::WindowAttributes>().window.dimensions[1].size);
  }
  // Those that the pool does not leave over.
  hlo::Dimensions used_outputs() const {
    hlo::Dimensions used = i_.shape.dimensions;
    if (pool_ == hlo::kNone) return used;
    for (int d : {1, 2}) used[d] = e_.shape(pool_).dimensions[d] * side_of_cell();
    return used;
  }
  int64_t inputs() const { return input_[3]; }
  int64_t panel_width() const { return int64_t{plan_.tile.vectors} * plan_.tile.lanes; }
  int64_t tile_rows() const { return ceil_div(output_[1], plan_.m); }
  int64_t tile_columns() const { return ceil_div(output_[2], plan_.m); }

  Place place(const Affine& tile) {
    const auto [row, x] = e_.divmod(tile, tile_columns());
    if (output_[0] == 1) return {Affine{}, row.times(plan_.m), x.times(plan_.m)};
    const auto [batch, y] = e_.divmod(row, tile_rows());
    return {batch, y.times(plan_.m), x.times(plan_.m)};
  }

  // --- the border ---

  // Tiles of dimension d (0 rows, 1 columns) may begin before the input's first element, or end behind its last.
  bool starts_outside(int d) const { return window_[d].padding_low > 0; }
  bool ends_outside(int d) const {
    const int64_t last = (ceil_div(output_[d + 1], plan_.m) - 1) * plan_.m - window_[d].padding_low;
    return last + plan_.side() > input_[d + 1];
  }
  bool has_input_border() const {
    return starts_outside(0) || ends_outside(0) || starts_outside(1) || ends_outside(1);
  }
  bool has_output_border() const { return output_[1] % plan_.m != 0 || output_[2] % plan_.m != 0; }
  // Long epilogues are emitted once, in a loop over the tile's outputs.
  bool spells_outputs() const { return inner_instructions(e_.group()).size() <= 12; }

  ValueId both(ValueId a, ValueId b) { return a == kNone ? b : b == kNone ? a : b_.logical_and(a, b); }
  ValueId at_least(const Affine& at, int64_t low) {
    return b_.compare(Predicate::kGe, b_.value_of(at), b_.index(low));
  }
  ValueId at_most(const Affine& at, int64_t high) {
    return b_.compare(Predicate::kLe, b_.value_of(at), b_.index(high));
  }
  // Runs `inside` or `outside` as `condition` says; kNone is true.
  void choose(ValueId condition, const std::function<void()>& inside, const std::function<void()>& outside) {
    if (condition == kNone) return inside();
    e_.if_else(condition, [&] { return inside(), Values{}; }, [&] { return outside(), Values{}; });
  }

  Affine input_at(int d, const Affine& output) const { return output.plus(-window_[d].padding_low); }
  ValueId sees_input_only(const Place& place) {
    ValueId condition = kNone;
    const Affine starts[] = {input_at(0, place.y), input_at(1, place.x)};
    for (int d = 0; d < 2; ++d) {
      if (starts_outside(d)) condition = both(condition, at_least(starts[d], 0));
      if (ends_outside(d)) condition = both(condition, at_most(starts[d], input_[d + 1] - plan_.side()));
    }
    return condition;
  }
  ValueId makes_output_only(const Place& place) {
    ValueId condition = kNone;
    if (output_[1] % plan_.m != 0) condition = both(condition, at_most(place.y, output_[1] - plan_.m));
    if (output_[2] % plan_.m != 0) condition = both(condition, at_most(place.x, output_[2] - plan_.m));
    return condition;
  }

  // --- inputs ---

  ValueId input(const Place& place, const Affine& r, const Affine& c, const Affine& channel, int lanes) {
    Index index;
    index.at = {place.batch, input_at(0, place.y).plus(r), input_at(1, place.x).plus(c), channel};
    index.lanes = lanes;
    if (lanes > 1) index.lane_dim = 3;
    return e_.operand(i_, 0, index).re;
  }
  // Calls body(channel, lanes) for all input channels, in vectors.
  void over_channels(const std::function<void(Affine, int)>& body) {
    for_each_vector(e_, {inputs()}, e_.preferred_lanes(inputs()),
                    [&](const Index& index) { body(index.at[0], index.lanes); });
  }
  Affine patch_at(const Affine& r, const Affine& c, const Affine& channel) const {
    return r.times(plan_.side()).plus(c).times(inputs()).plus(channel);
  }

  void copy_to_patch(const Place& place) {
    e_.loop(plan_.side(), [&](Affine r) {
      e_.loop(plan_.side(), [&](Affine c) {
        const Affine at[] = {input_at(0, place.y).plus(r), input_at(1, place.x).plus(c)};
        ValueId exists = kNone;
        for (int d = 0; d < 2; ++d) {
          if (starts_outside(d)) exists = both(exists, at_least(at[d], 0));
          if (ends_outside(d)) exists = both(exists, at_most(at[d], input_[d + 1] - 1));
        }
        choose(
            exists,
            [&] {
              over_channels([&](Affine channel, int lanes) {
                b_.store(sums_, patch_at(r, c, channel), input(place, r, c, channel, lanes));
              });
            },
            [&] {
              over_channels([&](Affine channel, int lanes) {
                b_.store(sums_, patch_at(r, c, channel), b_.zero({Scalar::kF32, static_cast<uint16_t>(lanes)}));
              });
            });
      });
    });
  }

  // Transforms one tile, whose elements `load` gives, into row `row` of the planes.
  void transform_input(const Affine& row, const std::function<ValueId(int r, int c, const Affine& channel, int lanes)>& load) {
    const int side = static_cast<int>(plan_.side());
    over_channels([&](Affine channel, int lanes) {
      std::vector<Values> lines(side);
      for (int c = 0; c < side; ++c) {
        Values column;
        for (int r = 0; r < side; ++r) column.push_back(load(r, c, channel, lanes));
        column = transform_input_line(b_, plan_.m, column);
        for (int r = 0; r < side; ++r) lines[r].push_back(column[r]);
      }
      for (int r = 0; r < side; ++r) {
        const Values line = transform_input_line(b_, plan_.m, lines[r]);
        for (int c = 0; c < side; ++c)
          b_.store(transformed_, row.times(inputs()).plus(channel).plus((r * side + c) * input_plane_), line[c]);
      }
    });
  }

  void transform_inputs(const Affine& first, const Affine& count) {
    e_.loop(Affine::constant(0), count, {}, [&](Affine row, std::span<const ValueId>) {
      const Place at = place(first.plus(row));
      choose(
          sees_input_only(at),
          [&] {
            transform_input(row, [&](int r, int c, const Affine& channel, int lanes) {
              return input(at, Affine::constant(r), Affine::constant(c), channel, lanes);
            });
          },
          [&] {
            copy_to_patch(at);
            transform_input(row, [&](int r, int c, const Affine& channel, int lanes) {
              return b_.load(sums_, patch_at(Affine::constant(r), Affine::constant(c), channel), lanes);
            });
          });
      return Values{};
    });
  }

  // --- products ---

  // All sums of one panel. The last rows of a block that is not full hold what was there before; nobody reads their sums.
  void multiply(const ColumnRun& run, const Affine& column, const Affine& count) {
    const Affine panel = column.times(plan_.points() * inputs());
    const int64_t width = run.step();
    b_.loop(plan_.points(), [&](ValueId point) {
      kernel::Loop rows;
      rows.upper = count;
      rows.step = plan_.tile.rows;
      b_.loop(rows, [&](ValueId row) {
        const Contraction::Tile tile{Affine::of(row), column, plan_.tile.rows, run.vectors, run.lanes};
        const Affine left = Affine::of(point, input_plane_).plus(Affine::of(row, inputs()));
        const Affine right = panel.plus(Affine::of(point, inputs() * width));
        const Values sums = multiply_tile(tile, left, right);
        for (int r = 0; r < tile.rows; ++r)
          for (int v = 0; v < tile.vectors; ++v)
            b_.store(sums_, Affine::of(point, sum_plane_).plus(Affine::of(row, width)).plus(r * width + int64_t{v} * run.lanes),
                     sums[r * tile.vectors + v]);
      });
    });
  }

  Values multiply_tile(const Contraction::Tile& tile, const Affine& left, const Affine& right) {
    const int64_t width = int64_t{tile.vectors} * tile.lanes;
    Operands operands;
    operands.a_contiguous = true;
    // Sums are short, and every layer's code is its own.
    if (kernel::shares_kernels(e_.target()) && e_.target().vector_bits == 0) operands.steps = 2;
    operands.a = [&](int r, const Affine& k, int lanes) {
      return Element{b_.load(transformed_, left.plus(k).plus(r * inputs()), lanes)};
    };
    operands.b = [&](int v, const Affine& k) {
      return Element{b_.load(filter_, right.plus(k.times(width)).plus(int64_t{v} * tile.lanes), tile.lanes)};
    };
    const Values zero(tile.rows * tile.vectors, b_.zero({Scalar::kF32, static_cast<uint16_t>(tile.lanes)}));
    return reduce_steps(e_, tile, false, inputs(), zero, operands);
  }

  // --- outputs ---

  // Output (r, c) of a tile, or the window of the pool that begins there; `value(y, x)` is an output of it.
  void finish(const Place& place, const Affine& r, const Affine& c, const Affine& feature, int lanes,
              const std::function<ValueId(int y, int x)>& value) {
    const auto at = [&](const Affine& y, const Affine& x) {
      Index index;
      index.at = {place.batch, y, x, feature};
      index.lanes = lanes;
      if (lanes > 1) index.lane_dim = 3;
      return index;
    };
    const Affine y = place.y.plus(r), x = place.x.plus(c);
    if (pool_ == hlo::kNone) {
      e_.bind(id_, at(y, x), {value(0, 0)});
      e_.store_roots(at(y, x));
      return e_.unbind(id_);
    }
    const int side = side_of_cell();
    std::vector<Element> elements;
    for (int dy = 0; dy < side; ++dy)
      for (int dx = 0; dx < side; ++dx) {
        const Index index = at(y.plus(dy), x.plus(dx));
        e_.bind(id_, index, {value(dy, dx)});
        elements.push_back(e_.operand(e_.instruction(pool_), 0, index));
        e_.unbind(id_);
      }
    pool_elements(e_, pool_, at(e_.divmod(y, side).first, e_.divmod(x, side).first), elements);
  }

  // The m * m outputs of the tile in row `row` of the sums, for one vector of the panel.
  std::vector<Values> output_tile(const Affine& row, const Affine& lane, int64_t width, int lanes) {
    const int side = static_cast<int>(plan_.side());
    std::vector<Values> lines(plan_.m);
    for (int c = 0; c < side; ++c) {
      Values column;
      for (int r = 0; r < side; ++r)
        column.push_back(b_.load(sums_, row.times(width).plus(lane).plus((r * side + c) * sum_plane_), lanes));
      column = transform_output_line(b_, plan_.m, column);
      for (int r = 0; r < plan_.m; ++r) lines[r].push_back(column[r]);
    }
    for (Values& line : lines) line = transform_output_line(b_, plan_.m, line);
    return lines;
  }

  // Stores the outputs of the tile that exist, one at a time.
  void finish_by_patch(const Place& place, const Affine& feature, int lanes, const std::vector<Values>& outputs) {
    for (int r = 0; r < plan_.m; ++r)
      for (int c = 0; c < plan_.m; ++c) b_.store(edge_, Affine::constant((r * plan_.m + c) * lanes), outputs[r][c]);
    const int side = side_of_cell();
    e_.loop(plan_.m, [&](Affine r) {
      e_.loop(plan_.m, [&](Affine c) {
        ValueId exists = kNone;
        if (output_[1] % plan_.m != 0) exists = both(exists, at_most(place.y.plus(r), output_[1] - side));
        if (output_[2] % plan_.m != 0) exists = both(exists, at_most(place.x.plus(c), output_[2] - side));
        const auto value = [&](int y, int x) { return b_.load(edge_, r.plus(y).times(plan_.m).plus(c).plus(x).times(lanes), lanes); };
        choose(exists, [&] { finish(place, r, c, feature, lanes, value); }, [] {});
      }, side);
    }, side);
  }

  void transform_outputs(const ColumnRun& run, const Affine& column, const Affine& first, const Affine& count) {
    e_.loop(Affine::constant(0), count, {}, [&](Affine row, std::span<const ValueId>) {
      const Place at = place(first.plus(row));
      const ValueId whole = makes_output_only(at);
      e_.loop(0, run.step(), run.lanes, {}, [&](Affine lane, std::span<const ValueId>) {
        const std::vector<Values> outputs = output_tile(row, lane, run.step(), run.lanes);
        const Affine feature = column.plus(lane);
        const auto by_patch = [&] { finish_by_patch(at, feature, run.lanes, outputs); };
        if (!spells_outputs()) return by_patch(), Values{};
        choose(
            whole,
            [&] {
              for (int r = 0; r < plan_.m; r += side_of_cell())
                for (int c = 0; c < plan_.m; c += side_of_cell())
                  finish(at, Affine::constant(r), Affine::constant(c), feature, run.lanes,
                         [&](int y, int x) { return outputs[r + y][c + x]; });
            },
            by_patch);
        return Values{};
      });
      return Values{};
    });
  }

  Emitter& e_;
  kernel::Builder& b_;
  const InstructionId id_, pool_;  // kNone: no pool
  const Instruction& i_;
  const WinogradPlan plan_;
  const hlo::Dimensions input_, output_;  // [batch, row, column, feature]
  const std::vector<hlo::WindowDimension>& window_;
  BufferId filter_ = kNone, transformed_ = kNone, sums_ = kNone, edge_ = kNone;
  int64_t input_plane_ = 0, sum_plane_ = 0;  // elements from one point's plane to the next
};

}  // namespace

bool allows_winograd(const Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const auto& a = i.get<hlo::ConvolutionAttributes>();
  if (a.input_spatial != hlo::Dimensions{1, 2} || a.output_spatial != hlo::Dimensions{1, 2} ||
      a.kernel_spatial != hlo::Dimensions{0, 1} || a.input_feature != 3 || a.output_feature != 3 ||
      a.kernel_output_feature != 3)
    return false;
  if (a.feature_group_count != 1 || a.batch_group_count != 1) return false;
  for (const hlo::WindowDimension& w : a.window.dimensions)
    if (w.size != 3 || w.stride != 1 || w.window_dilation != 1 || w.base_dilation != 1 || w.window_reversal) return false;
  for (const hlo::Shape* shape : {&i.shape, &e.shape(i.operands[0]), &e.shape(i.operands[1])})
    if (shape->element_type != hlo::PrimitiveType::kF32 || shape->element_count() == 0) return false;
  return e.constant_of(i.operands[1]) != nullptr;
}

void emit_winograd(Emitter& e, InstructionId id, const WinogradPlan& plan, InstructionId pool) { Winograd(e, id, plan, pool).run(); }

bool schedule_winograd(Emitter& e, InstructionId id, InstructionId pool) {
  if (!allows_winograd(e, id)) return false;
  const Instruction& i = e.instruction(id);
  const hlo::Dimensions& out = i.shape.dimensions;
  WinogradSize size{out[0], out[1], out[2], e.shape(i.operands[0]).dimensions[3], out[3]};
  if (pool != hlo::kNone) size.stored = e.shape(pool).dimensions[1] * e.shape(pool).dimensions[2];
  const std::optional<WinogradPlan> plan = plan_winograd(size, program_size(*e.group().module), e.target());
  if (plan) emit_winograd(e, id, *plan, pool);
  return plan.has_value();
}

}  // namespace hlocc::lowering
