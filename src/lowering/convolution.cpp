// convolution: for every output row a contraction of output pixels by output features. The last spatial dimension gives the
// rows of the tiles; pixels whose window lies inside the input share tiles, those at the border get their own bounds, so
// nothing is padded and nothing multiplied by zero. Feature groups are loops; one input feature a group (depthwise) runs
// lanes along the groups. Base dilation (transposed convolutions) tests each tap.
#include <algorithm>

#include "lowering/contraction.h"
#include "lowering/loop_ops.h"
#include "lowering/winograd.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

Scalar accumulator_of(Scalar result) {
  return kernel::is_float(result) && kernel::scalar_bits(result) < 32 ? Scalar::kF32 : result;
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
int64_t ceil_div(int64_t a, int64_t b) { return -floor_div(-a, b); }

// The taps of one window dimension that fall on input elements: [low, high), numbers or computed.
struct Taps {
  Affine low, high;
  bool is_all(int64_t size) const { return low.is_constant() && high.is_constant() && low.offset == 0 && high.offset == size; }
};

struct Convolution {
  Emitter& e;
  InstructionId id;
  const Instruction& i;
  const hlo::ConvolutionAttributes& attributes;
  const hlo::Shape &input, &filter, &output;
  Scalar sum;
  bool complex;

  int spatial() const { return static_cast<int>(attributes.window.dimensions.size()); }
  const hlo::WindowDimension& window(int d) const { return attributes.window.dimensions[d]; }
  int64_t input_extent(int d) const { return input.dimensions[attributes.input_spatial[d]]; }
  int64_t output_extent(int d) const { return output.dimensions[attributes.output_spatial[d]]; }
  // Features of the filter that belong to one group.
  int64_t group_inputs() const { return filter.dimensions[attributes.kernel_input_feature]; }
  int64_t group_outputs() const { return filter.dimensions[attributes.kernel_output_feature] / groups(); }
  int64_t groups() const { return attributes.feature_group_count; }

  // Taps of dimension d for output position o (base dilation 1).
  Taps taps(int d, const Affine& o) const {
    const auto& w = window(d);
    const int64_t last = input_extent(d) - 1;
    const Affine start = o.times(w.stride).plus(-w.padding_low);
    if (start.is_constant()) {
      const int64_t low = std::clamp<int64_t>(ceil_div(-start.offset, w.window_dilation), 0, w.size);
      const int64_t high = std::clamp<int64_t>(floor_div(last - start.offset, w.window_dilation) + 1, low, w.size);
      return {Affine::constant(low), Affine::constant(high)};
    }
    if (w.padding_low <= 0 && (output_extent(d) - 1) * w.stride - w.padding_low + (w.size - 1) * w.window_dilation <= last)
      return {Affine::constant(0), Affine::constant(w.size)};
    // low = clamp(ceil(-start / dilation)), high = clamp(floor((last - start) / dilation) + 1), without signed division:
    // with dilation 1 both are plain differences; else both numerators are made non-negative first.
    kernel::Builder& b = e.b;
    const ValueId at = b.value_of(start);
    const Type type{Scalar::kIndex, 1};
    const auto divide = [&](ValueId x) {
      return w.window_dilation == 1 ? x : b.op(kernel::OpKind::kNativeDiv, type, {x, b.index(w.window_dilation)});
    };
    const ValueId before = b.max(b.sub(b.index(0), at), b.index(0));
    const ValueId low = b.min(divide(b.add(before, b.index(w.window_dilation - 1))), b.index(w.size));
    const ValueId after = b.max(b.sub(b.index(last + w.window_dilation), at), b.index(0));
    const ValueId high = b.max(b.min(divide(after), b.index(w.size)), low);
    return {Affine::of(low), Affine::of(high)};
  }

  Element load_input(const Affine& batch, const std::vector<Affine>& at, const Affine& feature, int lanes) const {
    Index index;
    index.at.resize(input.rank());
    index.at[attributes.input_batch] = batch;
    index.at[attributes.input_feature] = feature;
    for (int d = 0; d < spatial(); ++d) index.at[attributes.input_spatial[d]] = at[d];
    index.lanes = lanes;
    if (lanes > 1) index.lane_dim = static_cast<int>(attributes.input_feature);
    return converted(e.operand(i, 0, index));
  }
  Element load_filter(const std::vector<Affine>& taps, const Affine& in, const Affine& out, int lanes) const {
    Index index;
    index.at.resize(filter.rank());
    index.at[attributes.kernel_input_feature] = in;
    index.at[attributes.kernel_output_feature] = out;
    for (int d = 0; d < spatial(); ++d)
      index.at[attributes.kernel_spatial[d]] =
          window(d).window_reversal ? taps[d].times(-1).plus(window(d).size - 1) : taps[d];
    index.lanes = lanes;
    if (lanes > 1) index.lane_dim = static_cast<int>(attributes.kernel_output_feature);
    return converted(e.operand(i, 1, index));
  }
  Element converted(Element x) const {
    x.re = e.b.convert(x.re, sum);
    if (complex) x.im = x.is_complex() ? e.b.convert(x.im, sum) : e.b.zero(e.b.type(x.re));
    return x;
  }
  void finish(const Affine& batch, const std::vector<Affine>& at, const Affine& feature, int lanes, Element value) const {
    Index index;
    index.at.resize(output.rank());
    index.at[attributes.output_batch] = batch;
    index.at[attributes.output_feature] = feature;
    for (int d = 0; d < spatial(); ++d) index.at[attributes.output_spatial[d]] = at[d];
    index.lanes = lanes;
    if (lanes > 1) index.lane_dim = static_cast<int>(attributes.output_feature);
    value.re = e.b.convert(value.re, e.scalar(output));
    if (complex) value.im = e.b.convert(value.im, e.scalar(output));
    e.bind(id, index, value);
    e.store_root(0, index);
    e.unbind(id);
  }
  // Lanes along features only where features are the last dimension everywhere.
  bool features_last() const {
    return attributes.output_feature == output.rank() - 1 && attributes.kernel_output_feature == filter.rank() - 1;
  }
  bool depthwise() const {
    return groups() > 1 && group_inputs() == 1 && group_outputs() == 1 && features_last() && !complex &&
           attributes.input_feature == input.rank() - 1;
  }
};

// Steps of the inner loops that are worth spelling out: neighbouring pixels then share the inputs that they have in common
// (the emitter loads equal elements once), and the loop costs nothing.
bool worth_unrolling(const Convolution& c, int64_t steps) {
  return steps <= 16 && !c.e.target().options.for_size();
}

// A loop over taps [low, high) with carried values, and with the tap and its input position.
Values over_taps(const Convolution& c, int d, const Taps& taps, const Affine& o, bool unroll, Values carried,
                 const std::function<Values(Affine tap, Affine position, Values)>& body) {
  const auto& w = c.window(d);
  const auto position = [&](const Affine& tap) {
    return o.times(w.stride).plus(tap.times(w.window_dilation)).plus(-w.padding_low);
  };
  if (taps.low.is_constant() && taps.high.is_constant() && unroll) {
    for (int64_t tap = taps.low.offset; tap < taps.high.offset; ++tap)
      carried = body(Affine::constant(tap), position(Affine::constant(tap)), std::move(carried));
    return carried;
  }
  return c.e.loop(taps.low, taps.high, std::move(carried), [&](Affine tap, std::span<const ValueId> v) {
    return body(tap, position(tap), {v.begin(), v.end()});
  });
}

// The sum over taps and input features of one tile of `tile.rows` pixels; outer spatial positions are given.
Accumulators tile_sum(const Convolution& c, const Affine& batch, const std::vector<Affine>& outer, const Affine& group,
                      const Contraction::Tile& tile, bool inside, Accumulators acc) {
  const int last = c.spatial() - 1;
  std::vector<Affine> taps, positions;
  const std::function<Values(int, Values)> next = [&](int d, Values carried) -> Values {
    if (d < last) {
      return over_taps(c, d, c.taps(d, outer[d]), outer[d], false, std::move(carried), [&](Affine tap, Affine at, Values v) {
        taps.push_back(tap);
        positions.push_back(at);
        Values out = next(d + 1, std::move(v));
        taps.pop_back();
        positions.pop_back();
        return out;
      });
    }
    const Taps all{Affine::constant(0), Affine::constant(c.window(last).size)};
    // Unrolled only where tiles are many: border pixels are few.
    const int64_t inner = c.depthwise() ? 1 : c.group_inputs();
    const bool unroll_inputs = inside && worth_unrolling(c, inner);
    const bool unroll_taps = inside && worth_unrolling(c, inner * c.window(last).size);
    return over_taps(c, last, inside ? all : c.taps(last, tile.row), tile.row, unroll_taps, std::move(carried), [&](Affine tap, Affine at, Values v) {
      taps.push_back(tap);
      positions.push_back(at);
      const auto position = [&](int row) {
        std::vector<Affine> p = positions;
        p.back() = at.plus(row * c.window(last).stride);
        return p;
      };
      Values out;
      if (c.depthwise()) {
        const auto filter = [&](int n) {
          return c.load_filter(taps, Affine{}, tile.column.plus(int64_t{n} * tile.lanes), tile.lanes);
        };
        // Both sides have lanes: one vector of the input for each vector of the filter.
        out = v;
        for (int n = 0; n < tile.vectors; ++n) {
          const Element f = filter(n);
          for (int row = 0; row < tile.rows; ++row) {
            const Element x = c.load_input(batch, position(row), tile.column.plus(int64_t{n} * tile.lanes), tile.lanes);
            ValueId& cell = out[row * tile.vectors + n];
            cell = multiply_accumulate(c.e, cell, x.re, f.re);
          }
        }
      } else {
        const auto input = [&](Affine k, std::span<const ValueId> inner) {
          const Affine in = group.times(c.group_inputs()).plus(k);
          return tile_step(c.e, tile, c.complex, {inner.begin(), inner.end()},
                           [&](int row) { return c.load_input(batch, position(row), in, 1); },
                           [&](int n) {
                             const Affine column = group.times(c.group_outputs()).plus(tile.column).plus(int64_t{n} * tile.lanes);
                             return c.load_filter(taps, k, column, tile.lanes);
                           });
        };
        if (unroll_taps && unroll_inputs) {
          out = std::move(v);
          for (int64_t k = 0; k < inner; ++k) out = input(Affine::constant(k), out);
        } else {
          out = c.e.loop(0, inner, 1, std::move(v), input);
        }
      }
      taps.pop_back();
      positions.pop_back();
      return out;
    });
  };
  return next(0, std::move(acc));
}

void output_row(const Convolution& c, const Affine& batch, const std::vector<Affine>& outer, const Affine& group) {
  const int last = c.spatial() - 1;
  const auto& w = c.window(last);
  const int64_t count = c.output_extent(last), extent = c.input_extent(last);
  // Pixels [first, end) see their whole window inside the input.
  const int64_t first = std::clamp<int64_t>(ceil_div(w.padding_low, w.stride), 0, count);
  const int64_t end =
      std::clamp<int64_t>(floor_div(extent - 1 + w.padding_low - (w.size - 1) * w.window_dilation, w.stride) + 1, first, count);
  const auto run = [&](int64_t begin, int64_t stop, bool inside) {
    if (stop <= begin) return;
    Contraction k;
    k.rows = inside ? stop - begin : 1;
    k.columns = c.depthwise() ? c.groups() : c.group_outputs();
    k.accumulator = c.sum;
    k.is_complex = c.complex;
    Affine base = Affine::constant(begin);
    k.accumulate = [&](const Contraction::Tile& tile, Accumulators acc) {
      Contraction::Tile moved = tile;
      moved.row = tile.row.plus(base);
      return tile_sum(c, batch, outer, group, moved, inside, std::move(acc));
    };
    k.store = [&](Affine row, Affine column, int lanes, Element value) {
      std::vector<Affine> at = outer;
      at.push_back(row.plus(base));
      const Affine feature = c.depthwise() ? column : group.times(c.group_outputs()).plus(column);
      c.finish(batch, at, feature, lanes, value);
    };
    if (inside) return contract(c.e, k);
    for (int64_t pixel = begin; pixel < stop; ++pixel) {
      base = Affine::constant(pixel);
      contract(c.e, k);
    }
  };
  run(first, end, true);
  // Border pixels: a few are spelled out with constant bounds, many share one loop.
  const auto border = [&](int64_t begin, int64_t stop) {
    if (stop - begin <= 2 && !c.e.target().options.for_size()) return run(begin, stop, false);
    c.e.loop(begin, stop, 1, {}, [&](Affine pixel, std::span<const ValueId>) {
      Contraction k;
      k.rows = 1;
      k.columns = c.depthwise() ? c.groups() : c.group_outputs();
      k.accumulator = c.sum;
      k.is_complex = c.complex;
      k.accumulate = [&](const Contraction::Tile& tile, Accumulators acc) {
        Contraction::Tile moved = tile;
        moved.row = pixel;
        return tile_sum(c, batch, outer, group, moved, false, std::move(acc));
      };
      k.store = [&](Affine, Affine column, int lanes, Element value) {
        std::vector<Affine> at = outer;
        at.push_back(pixel);
        const Affine feature = c.depthwise() ? column : group.times(c.group_outputs()).plus(column);
        c.finish(batch, at, feature, lanes, value);
      };
      contract(c.e, k);
      return Values{};
    });
  };
  border(0, first);
  border(end, count);
}

// Any window, one output element at a time: taps are tested against the input and its dilation holes.
void one_by_one(const Convolution& c) {
  Emitter& e = c.e;
  kernel::Builder& b = e.b;
  hlo::Dimensions taps;
  for (int d = 0; d < c.spatial(); ++d) taps.push_back(c.window(d).size);
  e.loop_over(c.output.dimensions, [&](const std::vector<Affine>& at) {
    const Affine feature = at[c.attributes.output_feature];
    // Groups of batches lie one after the other, and each makes its own share of the output features.
    const int64_t batches = c.output.dimensions[c.attributes.output_batch];
    const Affine batch_group =
        e.divmod(feature, std::max<int64_t>(c.output.dimensions[c.attributes.output_feature] / c.attributes.batch_group_count, 1)).first;
    const Affine result_batch = at[c.attributes.output_batch], batch = batch_group.times(batches).plus(result_batch);
    const auto [group, within] = e.divmod(feature, c.group_outputs());
    const Affine first_input = group.times(c.group_inputs());
    std::vector<Affine> tap;
    std::vector<Affine> position;
    const std::function<Values(int, ValueId, Values)> next = [&](int d, ValueId valid, Values acc) -> Values {
      const auto sum = [&] {
        return e.loop(0, c.group_inputs(), 1, acc, [&](Affine k, std::span<const ValueId> v) {
          const Contraction::Tile tile{{}, {}, 1, 1, 1};
          return tile_step(e, tile, c.complex, {v.begin(), v.end()},
                           [&](int) { return c.load_input(batch, position, first_input.plus(k), 1); },
                           [&](int) { return c.load_filter(tap, k, feature, 1); });
        });
      };
      if (d == c.spatial()) return valid == kernel::kNone ? sum() : e.if_else(valid, sum, [&] { return acc; });
      return e.loop(0, c.window(d).size, 1, acc, [&](Affine t, std::span<const ValueId> v) {
        const auto& w = c.window(d);
        const Affine o = at[c.attributes.output_spatial[d]];
        const ValueId p = b.value_of(o.times(w.stride).plus(t.times(w.window_dilation)).plus(-w.padding_low));
        const int64_t span = c.input_extent(d) == 0 ? 0 : (c.input_extent(d) - 1) * w.base_dilation + 1;
        ValueId ok = b.logical_and(b.compare(Predicate::kGe, p, b.index(0)), b.compare(Predicate::kLt, p, b.index(span)));
        ValueId place = p;
        if (w.base_dilation > 1) {
          const Type type{Scalar::kIndex, 1};
          place = b.op(kernel::OpKind::kNativeDiv, type, {p, b.index(w.base_dilation)});
          ok = b.logical_and(ok, b.compare(Predicate::kEq, b.mul(place, b.index(w.base_dilation)), p));
        }
        tap.push_back(t);
        position.push_back(Affine::of(place));
        Values saved = acc;
        acc.assign(v.begin(), v.end());
        Values out = next(d + 1, valid == kernel::kNone ? ok : b.logical_and(valid, ok), acc);
        acc = saved;
        tap.pop_back();
        position.pop_back();
        return out;
      });
    };
    Values zero(c.complex ? 2 : 1, b.zero({c.sum, 1}));
    const Values out = next(0, kernel::kNone, zero);
    std::vector<Affine> spatial;
    for (int d = 0; d < c.spatial(); ++d) spatial.push_back(at[c.attributes.output_spatial[d]]);
    c.finish(result_batch, spatial, feature, 1, c.complex ? Element{out[0], out[1]} : Element{out[0]});
  });
}

}  // namespace

void schedule(hlo::Op<hlo::Opcode::kConvolution>, Emitter& e, InstructionId id) {
  if (schedule_winograd(e, id)) return;
  const Instruction& i = e.instruction(id);
  const auto& attributes = i.get<hlo::ConvolutionAttributes>();
  const Convolution c{e, id, i, attributes, e.shape(i.operands[0]), e.shape(i.operands[1]), i.shape,
                      accumulator_of(e.scalar(i.shape)), hlo::is_complex(i.shape.element_type)};
  const bool dilated = std::any_of(attributes.window.dimensions.begin(), attributes.window.dimensions.end(),
                                   [](const hlo::WindowDimension& w) { return w.base_dilation > 1; });
  const bool empty = c.input.element_count() == 0 || c.filter.element_count() == 0;
  if (c.spatial() == 0 || dilated || empty || !c.features_last() || attributes.batch_group_count > 1) return one_by_one(c);
  const int last = c.spatial() - 1;
  hlo::Dimensions outer;
  for (int d = 0; d < last; ++d) outer.push_back(c.output_extent(d));
  e.loop(c.output.dimensions[attributes.output_batch], [&](Affine batch) {
    e.loop_over(outer, [&](const std::vector<Affine>& at) {
      if (c.depthwise()) return output_row(c, batch, at, Affine{});
      e.loop(c.groups(), [&](Affine group) { output_row(c, batch, at, group); });
    });
  });
}

}  // namespace hlocc::lowering
