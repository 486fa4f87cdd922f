// dot: the tiles of contraction.h, with lanes along columns where those of the right side are
// contiguous, or along the contracted dimension where both sides are contiguous there, and any
// other dimension numbers one by one.
#include <algorithm>

#include "costs/weights.h"
#include "lowering/contraction/known_bias.h"
#include "lowering/contraction/packed_product.h"
#include "lowering/contraction/scaled_right.h"
#include "lowering/contraction/weights.h"
#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

namespace {

// The dimensions of one side: batch, free and contracted, in the order of the result and of the
// attributes.
struct Side {
  hlo::Dimensions batch, free, contracted;
};

struct Dot {
  Emitter& e;
  hlo::InstructionId id;
  const hlo::Instruction& i;
  Side lhs, rhs;
  kernel::Scalar sum;  // of the accumulators

  // Operand n as the accumulators take it.
  Element operand(int n, const Index& index) const {
    Element x = e.operand(i, n, index);
    x.re = e.b.convert(x.re, sum);
    if (hlo::is_complex(i.shape.element_type))
      x.im = x.is_complex() ? e.b.convert(x.im, sum) : e.b.zero(e.b.type(x.re));
    return x;
  }
  void finish(const Index& index, Element value) const {
    value.re = e.b.convert(value.re, e.scalar(i.shape));
    if (value.is_complex()) value.im = e.b.convert(value.im, e.scalar(i.shape));
    e.store_roots(id, index, value);
  }
  Index index_of(const Side& side, int rank, const std::vector<Affine>& batch,
                 const std::vector<Affine>& free, const std::vector<Affine>& contracted) const {
    Index index;
    index.at.resize(rank);
    for (size_t n = 0; n < side.batch.size(); ++n) index.at[side.batch[n]] = batch[n];
    for (size_t n = 0; n < side.free.size(); ++n) index.at[side.free[n]] = free[n];
    for (size_t n = 0; n < side.contracted.size(); ++n)
      index.at[side.contracted[n]] = contracted[n];
    return index;
  }
};

hlo::Dimensions pick(const hlo::Shape& shape, const hlo::Dimensions& dims) {
  hlo::Dimensions out;
  for (int64_t d : dims) out.push_back(shape.dimensions[d]);
  return out;
}

Side side_of(int rank, const hlo::Dimensions& batch, const hlo::Dimensions& contracted) {
  Side side{batch, {}, contracted};
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

// Tiles with lanes along the last free dimension of the right side, or, where `inner_lanes` are
// more than one, along the one contracted dimension, which is the last of both sides.
void product_in_tiles(Dot dot, int inner_lanes) {
  Emitter& e = dot.e;
  const hlo::Shape& l = e.shape(dot.i.operands[0]);
  const hlo::Shape& r = e.shape(dot.i.operands[1]);
  const bool complex = hlo::is_complex(dot.i.shape.element_type);
  // Rows are the last free dimension of the left side; free dimensions before it, and of the right
  // side, are loops.
  hlo::Dimensions l_free = pick(l, dot.lhs.free), r_free = pick(r, dot.rhs.free);
  const int64_t rows = l_free.empty() ? 1 : l_free.back(),
                columns = r_free.empty() ? 1 : r_free.back();
  if (!l_free.empty()) l_free.pop_back();
  if (!r_free.empty()) r_free.pop_back();
  Contraction c;
  c.accumulator = dot.sum;
  c.is_complex = complex;
  if (inner_lanes > 1) c.along = {inner_lanes, columns};
  // Few columns: lanes along the contracted dimension, where the left side is contiguous.
  // Contracted along its first dimension: `inner_lanes` would be along the last.
  const bool matrix =
      r.rank() == 2 && dot.rhs.batch.empty() && dot.rhs.contracted == hlo::Dimensions{0};
  if (matrix && dot.lhs.contracted == hlo::Dimensions{l.rank() - 1} &&
      Weights::can_be_packed(e, dot.i.operands[1]))
    c.along = costs::columns_along(e.target(), dot.sum, r.dimensions[0], r.dimensions[0], columns);
  int64_t depth = 1;
  for (int64_t d : dot.lhs.contracted) depth *= l.dimensions[d];
  choose_runs(e, c, rows, columns, depth);
  if (e.group().serpentine) c.backwards = is_odd_turn(e);
  // Tiles of several rows would read the numbers of their columns for each.
  if (const auto bias = known_bias(e, dot.id, dot.i.shape.rank() - 1);
      bias && rows == 1 && matrix) {
    dot.id = bias->sum;
    c.start = [&e, numbers = e.input_buffer(bias->numbers)](const Affine& column, int lanes) {
      return e.b.load(numbers, column, lanes);
    };
  }
  Weights weights;
  if (matrix) weights = Weights::pack(e, dot.i.operands[1], r.dimensions[0], 1, c.columns);
  const InstructionId right = dot.i.operands[1];
  const bool is_made = matrix && !e.group().is_external(right) && depth > 0;
  std::optional<MadePanel> made;
  std::optional<ScaledRight> scaled;
  if (is_made) scaled = ScaledRight::of(e, right, dot.sum);
  if (is_made && costs::makes_panels(e.target(), rows)) {
    const int64_t group = scaled ? scaled->group() : depth;
    made.emplace(e, dot.sum, hlo::Dimensions{depth / group, group}, c.columns,
                 [&, group](const std::vector<Affine>& at, const Affine& column, int lanes) {
                   const Affine step = at[0].times(group).plus(at[1]);
                   return dot.operand(1, Index{{step, column}}.along(1, lanes)).re;
                 });
    c.prepare = [&](const Affine& column, const ColumnRun& run) { made->make(column, run); };
    scaled.reset();
  }
  if (scaled) scaled->look_up(e);
  e.loop_over(pick(l, dot.lhs.batch), [&](const std::vector<Affine>& batch) {
    e.loop_over(l_free, [&](const std::vector<Affine>& l_outer) {
      e.loop_over(r_free, [&](const std::vector<Affine>& r_outer) {
        c.accumulate = [&](const Tile& tile, Accumulators acc) {
          // The last contracted dimension is the reduction of the tile, those before it are loops
          // around it.
          hlo::Dimensions outer = pick(l, dot.lhs.contracted);
          const int64_t count = outer.empty() ? 1 : outer.back();
          if (!outer.empty()) outer.pop_back();
          std::vector<Affine> k;
          const auto contracted = [&](const Affine& last) {
            std::vector<Affine> at = k;
            if (!dot.lhs.contracted.empty()) at.push_back(last);
            return at;
          };
          Operands operands;
          operands.a_contiguous =
              !dot.lhs.contracted.empty() && dot.lhs.contracted.back() == l.rank() - 1;
          operands.a = [&](int row, const Affine& step, int lanes) {
            std::vector<Affine> free = l_outer;
            if (!dot.lhs.free.empty()) free.push_back(tile.row.plus(row));
            Index index = dot.index_of(dot.lhs, l.rank(), batch, free, contracted(step));
            return dot.operand(0, index.along(l.rank() - 1, lanes));
          };
          operands.b = [&](int vector, const Affine& step) {
            if (weights.holds(tile))
              return Element{e.b.convert(weights.load(e, tile, Affine{}, step, vector), dot.sum)};
            if (made) return Element{made->load(tile, step, vector)};
            if (scaled)
              return Element{scaled->whole(e, step, tile.column.plus(int64_t{vector} * tile.lanes),
                                           tile.lanes)};
            std::vector<Affine> free = r_outer;
            if (!dot.rhs.free.empty())
              free.push_back(tile.column.plus(int64_t{vector} * tile.lanes));
            Index index = dot.index_of(dot.rhs, r.rank(), batch, free, contracted(step));
            if (tile.unit > 1) {
              index.along(r.rank() - 1, tile.unit);
            } else if (!dot.rhs.free.empty()) {
              index.along(dot.rhs.free.back(), tile.lanes);
            }
            return dot.operand(1, index);
          };
          if (c.backwards == kernel::kNone)
            operands.ahead = [&](const Affine& step, int64_t steps) {
              weights.prefetch(e, tile, Affine{}, tile.row, rows, step, steps);
            };
          if (scaled)
            return scaled->accumulate(e, tile, std::move(acc),
                                      [&](const Affine& first, int64_t steps) {
                                        Operands of_group = operands;
                                        of_group.a = [&](int row, const Affine& step, int lanes) {
                                          return operands.a(row, first.plus(step), lanes);
                                        };
                                        of_group.b = [&](int vector, const Affine& step) {
                                          return operands.b(vector, first.plus(step));
                                        };
                                        const Accumulators nothing(
                                            tile.rows * tile.vectors,
                                            e.b.zero({dot.sum, static_cast<uint16_t>(tile.lanes)}));
                                        return reduce(e, tile, steps, nothing, of_group);
                                      });
          return nest(e, outer, k, acc, [&](Accumulators inner) {
            return reduce(e, tile, count, std::move(inner), operands);
          });
        };
        c.store = [&](Affine row, Affine column, int lanes, Element value) {
          Index index;
          index.at = batch;
          index.at.insert(index.at.end(), l_outer.begin(), l_outer.end());
          if (!dot.lhs.free.empty()) index.at.push_back(row);
          index.at.insert(index.at.end(), r_outer.begin(), r_outer.end());
          if (!dot.rhs.free.empty()) index.at.push_back(column);
          dot.finish(index.along(dot.i.shape.rank() - 1, lanes), value);
        };
        contract(e, c);
      });
    });
  });
}

Dot dot_of(Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const auto& attributes = i.get<hlo::DotAttributes>();
  const int l = e.shape(i.operands[0]).rank(), r = e.shape(i.operands[1]).rank();
  return {e,
          id,
          i,
          side_of(l, attributes.lhs_batch, attributes.lhs_contracting),
          side_of(r, attributes.rhs_batch, attributes.rhs_contracting),
          accumulator_of(e.scalar(i.shape))};
}

}  // namespace

bool multiply_packed_dot(Emitter& e, InstructionId id, std::optional<kernel::MicroKernel> wanted,
                         const MicroKernelSet& set) {
  Dot dot = dot_of(e, id);
  const hlo::Shape &l = e.shape(dot.i.operands[0]), &r = e.shape(dot.i.operands[1]);
  if (hlo::is_complex(dot.i.shape.element_type) || r.rank() != 2 ||
      dot.rhs.contracted != hlo::Dimensions{0} || !dot.lhs.batch.empty() || l.rank() > 2 ||
      dot.lhs.contracted != hlo::Dimensions{l.rank() - 1})
    return false;
  PackedProduct p;
  p.rows = l.rank() == 1 ? 1 : l.dimensions[0];
  p.columns = r.dimensions[1];
  p.length = r.dimensions[0];
  p.left = dot.i.operands[0];
  p.right = dot.i.operands[1];
  p.sum = dot.sum;
  p.left_contiguous = e.group().is_external(p.left);
  p.load = [&](const Affine& row, const Affine& k, int lanes) {
    Index index{l.rank() == 1 ? std::vector<Affine>{k} : std::vector<Affine>{row, k}};
    return e.operand(dot.i, 0, index.along(l.rank() - 1, lanes)).re;
  };
  p.store = [&](const Affine& row, const Affine& column, int lanes, ValueId value) {
    Index index{l.rank() == 1 ? std::vector<Affine>{column} : std::vector<Affine>{row, column}};
    index.along(l.rank() - 1, lanes);
    dot.finish(index, {value});
  };
  if (const auto bias = known_bias(e, id, dot.i.shape.rank() - 1)) {
    dot.id = bias->sum;
    p.bias = bias->numbers;
  }
  const auto choice = choose_packed(e, p, wanted, set);
  if (choice) multiply_packed(e, p, *choice, set);
  return choice.has_value();
}

void schedule(hlo::Op<hlo::Opcode::kDot>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const hlo::Shape& l = e.shape(i.operands[0]);
  const hlo::Shape& r = e.shape(i.operands[1]);
  if (multiply_packed_dot(e, id)) return;
  const Dot dot = dot_of(e, id);
  const bool inner = dot.lhs.contracted.size() == 1 && dot.lhs.contracted[0] == l.rank() - 1 &&
                     dot.rhs.contracted[0] == r.rank() - 1 &&
                     !hlo::is_complex(i.shape.element_type) && dot.sum != Scalar::kPred;
  // Without vectors both orders read alike, and tiles of rows and columns read less.
  const int lanes = inner ? e.preferred_lanes(l.dimensions.back()) : 1;
  product_in_tiles(dot, lanes);
}

}  // namespace hlocc::lowering
