// dot: the tiles of contraction.h, with lanes along columns where those of the right side are
// contiguous, or along the contracted dimension where both sides are contiguous there, and any
// other dimension numbers one by one.
#include <algorithm>

#include "costs/weights.h"
#include "lowering/contraction/dot.h"
#include "lowering/contraction/known_bias.h"
#include "lowering/contraction/packed_product.h"
#include "lowering/contraction/scaled_right.h"
#include "lowering/contraction/weights.h"
#include "lowering/emitter/loop_ops.h"
#include "support/product.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

Element Dot::operand(int n, const Index& index) const {
  Element x = e.operand(i, n, index);
  x.re = e.b.convert(x.re, sum);
  if (is_complex()) x.im = x.is_complex() ? e.b.convert(x.im, sum) : e.b.zero(e.b.type(x.re));
  return x;
}

void Dot::finish(const Index& index, Element value) const {
  value.re = e.b.convert(value.re, e.scalar(i.shape));
  if (value.is_complex()) value.im = e.b.convert(value.im, e.scalar(i.shape));
  e.store_roots(id, index, value);
}

hlo::Dimensions pick(const hlo::Shape& shape, const hlo::Dimensions& dimensions) {
  hlo::Dimensions out;
  for (const int64_t d : dimensions) out.push_back(shape.dimensions[d]);
  return out;
}

namespace {

DotSide side_of(int rank, const hlo::Dimensions& batch, const hlo::Dimensions& contracted) {
  DotSide side{batch, {}, contracted};
  for (int64_t d = 0; d < rank; ++d)
    if (std::find(batch.begin(), batch.end(), d) == batch.end() &&
        std::find(contracted.begin(), contracted.end(), d) == contracted.end())
      side.free.push_back(d);
  return side;
}

// Loops over a list of dimensions with carried values.
kernel::Values nest(Emitter& e, const hlo::Dimensions& extents, std::vector<Affine>& at,
                    kernel::Values carried,
                    const std::function<kernel::Values(kernel::Values)>& body) {
  if (at.size() == extents.size()) return body(std::move(carried));
  return e.loop(0, extents[at.size()], 1, std::move(carried),
                [&](Affine counter, std::span<const ValueId> values) {
                  at.push_back(counter);
                  kernel::Values out = nest(e, extents, at, {values.begin(), values.end()}, body);
                  at.pop_back();
                  return out;
                });
}

// Tiles with lanes along the last free dimension of the right side, or, where the plan says so,
// along the reduction. Rows are the last free dimension of the left side; free dimensions before
// it, and of the right side, are loops.
class TiledDot {
 public:
  TiledDot(Dot dot, const costs::TiledDotPlan& plan)
      : dot_(std::move(dot)),
        e_(dot_.e),
        l_free_(pick(dot_.left, dot_.lhs.free)),
        r_free_(pick(dot_.right, dot_.rhs.free)),
        contracted_(pick(dot_.left, dot_.lhs.contracted)),
        rows_(take_last(l_free_)),
        depth_(product(contracted_)),
        count_(take_last(contracted_)) {
    c_.accumulator = dot_.sum;
    c_.is_complex = dot_.is_complex();
    c_.reduction_lanes = plan.reduction_lanes;
    choose_runs(e_, c_, rows_, take_last(r_free_), depth_);
    if (e_.group().serpentine) c_.backwards = is_odd_iteration(e_);
    c_.accumulate = [this](const Tile& tile, Accumulators sums) {
      return accumulate(tile, std::move(sums));
    };
    c_.store = [this](const Affine& row, const Affine& column, int lanes, const Element& value) {
      store(row, column, lanes, value);
    };
  }

  void run() {
    if (dot_.has_right_matrix()) {
      begin_with_bias();
      weights_ = Weights::pack(e_, right(), dot_.right.dimensions[0], 1, c_.columns);
      if (!e_.group().is_external(right()) && depth_ > 0) make_right();
    }
    e_.loop_over(pick(dot_.left, dot_.lhs.batch), [&](const std::vector<Affine>& batch) {
      e_.loop_over(l_free_, [&](const std::vector<Affine>& l_outer) {
        e_.loop_over(r_free_, [&](const std::vector<Affine>& r_outer) {
          batch_ = batch, l_outer_ = l_outer, r_outer_ = r_outer;
          contract(e_, c_);
        });
      });
    });
  }

 private:
  static int64_t take_last(hlo::Dimensions& sizes) {
    if (sizes.empty()) return 1;
    const int64_t last = sizes.back();
    sizes.pop_back();
    return last;
  }
  InstructionId right() const { return dot_.i.operands[1]; }

  // Tiles of several rows would read the numbers of their columns for each.
  void begin_with_bias() {
    const auto bias = known_bias(e_, dot_.id, dot_.output.rank() - 1);
    if (!bias || rows_ != 1) return;
    dot_.id = bias->sum;
    c_.start = [this, numbers = e_.input_buffer(bias->numbers)](const Affine& column, int lanes) {
      return e_.b.load(numbers, column, lanes);
    };
  }

  // Of a right side that the kernel makes: some columns at a time, or scales taken out of it.
  void make_right() {
    scaled_ = ScaledRight::of(e_, right(), dot_.sum);
    if (costs::makes_panels(e_.target(), rows_)) {
      const int64_t group = scaled_ ? scaled_->group() : depth_;
      made_.emplace(e_, dot_.sum, hlo::Dimensions{depth_ / group, group}, c_.columns,
                    [this, group](const std::vector<Affine>& at, const Affine& column, int lanes) {
                      const Affine step = at[0].times(group).plus(at[1]);
                      return dot_.operand(1, Index{{step, column}}.along(1, lanes)).re;
                    });
      c_.prepare = [this](const Affine& column, const ColumnRun& run) { made_->make(column, run); };
      scaled_.reset();
    }
    if (scaled_) scaled_->look_up(e_);
  }

  // The last contracted dimension is the reduction of the tile, those before it are loops around
  // it.
  Accumulators accumulate(const Tile& tile, Accumulators sums) {
    const Operands operands = operands_of(tile);
    if (scaled_)
      return scaled_->accumulate(e_, tile, std::move(sums),
                                 [&](const Affine& first, int64_t steps) {
                                   return sums_of_group(tile, operands, first, steps);
                                 });
    outer_.clear();
    return nest(e_, contracted_, outer_, std::move(sums), [&](Accumulators inner) {
      return reduce(e_, tile, count_, std::move(inner), operands);
    });
  }

  Accumulators sums_of_group(const Tile& tile, const Operands& all, const Affine& first,
                             int64_t steps) {
    Operands of_group = all;
    of_group.a = [&](int row, const Affine& step, int lanes) {
      return all.a(row, first.plus(step), lanes);
    };
    of_group.b = [&](int vector, const Affine& step) { return all.b(vector, first.plus(step)); };
    const Accumulators nothing(tile.rows * tile.vectors,
                               e_.b.zero({dot_.sum, static_cast<uint16_t>(tile.lanes)}));
    return reduce(e_, tile, steps, nothing, of_group);
  }

  Operands operands_of(const Tile& tile) {
    Operands operands;
    operands.a_contiguous =
        !dot_.lhs.contracted.empty() && dot_.lhs.contracted.back() == dot_.left.rank() - 1;
    operands.a = [this, &tile](int row, const Affine& step, int lanes) {
      Index index = index_of(dot_.lhs, dot_.left, l_outer_, tile.row.plus(row), step);
      return dot_.operand(0, index.along(dot_.left.rank() - 1, lanes));
    };
    operands.b = [this, &tile](int vector, const Affine& step) {
      return right_operand(tile, vector, step);
    };
    if (c_.backwards == kernel::kNone)
      operands.ahead = [this, &tile](const Affine& step, int64_t steps) {
        weights_.prefetch(e_, tile, Affine{}, tile.row, rows_, step, steps);
      };
    return operands;
  }

  Element right_operand(const Tile& tile, int vector, const Affine& step) {
    if (weights_.holds(tile))
      return {e_.b.convert(weights_.load(e_, tile, Affine{}, step, vector), dot_.sum)};
    if (made_) return {made_->load(tile, step, vector)};
    const Affine column = tile.column.plus(int64_t{vector} * tile.lanes);
    if (scaled_) return {scaled_->whole(e_, step, column, tile.lanes)};
    Index index = index_of(dot_.rhs, dot_.right, r_outer_, column, step);
    if (tile.k_step > 1)
      index.along(dot_.right.rank() - 1, tile.k_step);
    else if (!dot_.rhs.free.empty())
      index.along(dot_.rhs.free.back(), tile.lanes);
    return dot_.operand(1, index);
  }

  // Of one side, at place `last` of its last free dimension and step `step` of its last contracted
  // one.
  Index index_of(const DotSide& side, const hlo::Shape& shape, std::vector<Affine> free,
                 const Affine& last, const Affine& step) const {
    std::vector<Affine> contracted = outer_;
    if (!side.free.empty()) free.push_back(last);
    if (!side.contracted.empty()) contracted.push_back(step);
    Index index;
    index.at.resize(shape.rank());
    for (size_t n = 0; n < side.batch.size(); ++n) index.at[side.batch[n]] = batch_[n];
    for (size_t n = 0; n < side.free.size(); ++n) index.at[side.free[n]] = free[n];
    for (size_t n = 0; n < side.contracted.size(); ++n)
      index.at[side.contracted[n]] = contracted[n];
    return index;
  }

  void store(const Affine& row, const Affine& column, int lanes, const Element& value) const {
    Index index;
    index.at = batch_;
    index.at.insert(index.at.end(), l_outer_.begin(), l_outer_.end());
    if (!dot_.lhs.free.empty()) index.at.push_back(row);
    index.at.insert(index.at.end(), r_outer_.begin(), r_outer_.end());
    if (!dot_.rhs.free.empty()) index.at.push_back(column);
    dot_.finish(index.along(dot_.output.rank() - 1, lanes), value);
  }

  Dot dot_;
  Emitter& e_;
  hlo::Dimensions l_free_, r_free_, contracted_;  // sizes, without the last of each
  int64_t rows_, depth_, count_;                  // count: of the last contracted dimension
  Contraction c_;
  Weights weights_;
  std::optional<MadePanel> made_;
  std::optional<ScaledRight> scaled_;
  std::vector<Affine> batch_, l_outer_, r_outer_;  // where the loops are
  std::vector<Affine> outer_;                      // of the contracted dimensions
};

void emit(const Dot& dot, const costs::TiledDotPlan& plan) { TiledDot(dot, plan).run(); }

// A matrix of bytes by a known one.
void emit(Dot dot, const costs::PackedDotPlan& plan, const MicroKernelSet& set = {}) {
  Emitter& e = dot.e;
  const bool is_vector = dot.left.rank() == 1;
  PackedProduct p;
  p.rows = is_vector ? 1 : dot.left.dimensions[0];
  p.columns = dot.right.dimensions[1];
  p.length = dot.right.dimensions[0];
  p.left = dot.i.operands[0];
  p.right = dot.i.operands[1];
  p.sum = dot.sum;
  p.left_contiguous = dot.left_in_memory;
  p.load = [&](const Affine& row, const Affine& k, int lanes) {
    Index index{is_vector ? std::vector<Affine>{k} : std::vector<Affine>{row, k}};
    return e.operand(dot.i, 0, index.along(dot.left.rank() - 1, lanes)).re;
  };
  p.store = [&](const Affine& row, const Affine& column, int lanes, ValueId value) {
    Index index{is_vector ? std::vector<Affine>{column} : std::vector<Affine>{row, column}};
    index.along(dot.left.rank() - 1, lanes);
    dot.finish(index, {value});
  };
  const bool corrected = plan.choice.left == costs::LeftForm::kBiased;
  if (const auto bias = known_bias(e, dot.id, dot.output.rank() - 1, corrected)) {
    dot.id = bias->sum;
    p.bias = bias->numbers;
  }
  multiply_packed(e, p, plan.choice, set);
}

Dot dot_of(Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const auto& attributes = i.get<hlo::DotAttributes>();
  const InstructionId left = i.operands[0], right = i.operands[1];
  const hlo::Shape &l = e.shape(left), &r = e.shape(right);
  e.choice.of_bytes = are_bytes(e, i);
  return {{.attributes = attributes,
           .left = l,
           .right = r,
           .output = i.shape,
           .sum = accumulator_of(e.scalar(i.shape)),
           .left_in_memory = e.group().is_external(left),
           .right_known = e.group().is_external(right) && e.constant_of(right) != nullptr,
           .row_lanes = l.rank() == 0 ? 1 : e.preferred_lanes(l.dimensions.back())},
          e,
          id,
          i,
          side_of(l.rank(), attributes.lhs_batch, attributes.lhs_contracting),
          side_of(r.rank(), attributes.rhs_batch, attributes.rhs_contracting)};
}

}  // namespace

bool multiply_packed_dot(Emitter& e, InstructionId id, kernel::MicroKernel wanted,
                         const MicroKernelSet& set) {
  const Dot dot = dot_of(e, id);
  const auto plan = costs::PackedDotPlan::of(dot, e.target(), wanted, set.rows);
  if (plan) emit(dot, *plan, set);
  return plan.has_value();
}

void schedule(hlo::Op<hlo::Opcode::kDot>, Emitter& e, InstructionId id) {
  const Dot dot = dot_of(e, id);
  const costs::DotPlan plan = costs::plan_dot(dot, e.target());
  e.choice.algorithm = costs::algorithm_of(plan);
  std::visit([&](const auto& one) { emit(dot, one); }, plan);
}

}  // namespace hlocc::lowering
