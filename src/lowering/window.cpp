// reduce-window and select-and-scatter. A window element that lies on padding or in a dilation hole is skipped: the initial
// value counts once a window. Running sums (windows over all elements before) are computed in one pass.
#include <algorithm>

#include "lowering/loop_ops.h"
#include "ops/reducer.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

Values flatten(const std::vector<Element>& elements) {
  Values out;
  for (const Element& x : elements) {
    out.push_back(x.re);
    if (x.is_complex()) out.push_back(x.im);
  }
  return out;
}

struct WindowReduce {
  Emitter& e;
  InstructionId id;
  const Instruction& i;
  const hlo::Window& window;
  int inputs;

  const hlo::Shape& input() const { return e.shape(i.operands[0]); }
  const hlo::Dimensions& output() const { return inputs == 1 && !i.shape.is_tuple() ? i.shape.dimensions : i.shape.tuple[0].dimensions; }
  std::vector<Element> unflatten(std::span<const ValueId> values) const {
    std::vector<Element> out;
    size_t at = 0;
    for (int n = 0; n < inputs; ++n) {
      Element x{values[at++]};
      if (hlo::is_complex(e.shape(i.operands[n]).element_type)) x.im = values[at++];
      out.push_back(x);
    }
    return out;
  }
  std::vector<Element> combine(std::vector<Element> acc, const std::vector<Element>& next) const {
    acc.insert(acc.end(), next.begin(), next.end());
    return e.call(i.called[0], std::move(acc));
  }
  std::vector<Element> initial(int lanes) const {
    std::vector<Element> out;
    for (int n = 0; n < inputs; ++n) out.push_back(e.splat(e.operand(i, inputs + n, Index::scalar()), lanes));
    return out;
  }
  std::vector<Element> load(const Index& at) const {
    std::vector<Element> out;
    for (int n = 0; n < inputs; ++n) out.push_back(e.operand(i, n, at));
    return out;
  }
  void finish(const Index& index, const std::vector<Element>& value) const {
    if (!i.shape.is_tuple()) {
      e.bind(id, index, value[0]);
      e.store_roots(index);
      e.unbind(id);
      return;
    }
    for (int n = 0; n < inputs; ++n) e.store(e.output_buffer(n), i.shape.tuple[n], index, value[n]);
  }
};

// The condition that window dimension d at tap t lies on an input element, and that element's position.
struct Tap {
  Affine position;
  ValueId valid = kNone;
};
Tap tap_of(Emitter& e, const hlo::WindowDimension& w, int64_t input, int64_t output, const Affine& o, const Affine& t) {
  kernel::Builder& b = e.b;
  const Affine at = o.times(w.stride).plus(t.times(w.window_dilation)).plus(-w.padding_low);
  const int64_t span = input == 0 ? 0 : (input - 1) * w.base_dilation + 1;
  const int64_t furthest = (output - 1) * w.stride + (w.size - 1) * w.window_dilation - w.padding_low;
  Tap tap{at};
  const auto require = [&](ValueId c) { tap.valid = tap.valid == kNone ? c : b.logical_and(tap.valid, c); };
  if (w.padding_low > 0) require(b.compare(Predicate::kGe, b.value_of(at), b.index(0)));
  if (furthest >= span) require(b.compare(Predicate::kLt, b.value_of(at), b.index(span)));
  if (w.base_dilation > 1) {
    const ValueId value = b.value_of(at);
    const Type type{Scalar::kIndex, 1};
    const ValueId place = b.op(OpKind::kNativeDiv, type, {value, b.index(w.base_dilation)});
    require(b.compare(Predicate::kEq, b.mul(place, b.index(w.base_dilation)), value));
    tap.position = Affine::of(place);
  }
  return tap;
}

void plain_windows(const WindowReduce& r, int lanes) {
  Emitter& e = r.e;
  for_each_vector(e, r.output(), lanes, [&](const Index& index) {
    const int width = index.has_lanes() ? index.lanes : 1;
    Index place = index;
    const std::function<Values(size_t, ValueId, Values)> next = [&](size_t d, ValueId valid, Values acc) -> Values {
      if (d == r.window.dimensions.size()) {
        const auto inside = [&] { return flatten(r.combine(r.unflatten(acc), r.load(place))); };
        if (valid == kNone) return inside();
        return e.if_else(valid, inside, [&] { return acc; });
      }
      const auto& w = r.window.dimensions[d];
      return e.loop(0, w.size, 1, acc, [&](Affine t, std::span<const ValueId> v) {
        const Affine tap = w.window_reversal ? t.times(-1).plus(w.size - 1) : t;
        const Tap at = tap_of(e, w, r.input().dimensions[d], r.output()[d], index.at[d], tap);
        place.at[d] = at.position;
        const ValueId both = at.valid == kNone ? valid : valid == kNone ? at.valid : e.b.logical_and(valid, at.valid);
        return next(d + 1, both, {v.begin(), v.end()});
      });
    };
    r.finish(index, r.unflatten(next(0, kNone, flatten(r.initial(width)))));
  });
}

// cumsum and its kin: one dimension has a window over the whole input, padded so that output o sums inputs 0 .. o (or o ..
// end). Returns that dimension, or -1; `reverse` says which end.
int running_dimension(const WindowReduce& r, bool& reverse) {
  int found = -1;
  for (size_t d = 0; d < r.window.dimensions.size(); ++d) {
    const auto& w = r.window.dimensions[d];
    const int64_t n = r.input().dimensions[d];
    if (w.size == 1 && w.stride == 1 && w.padding_low == 0 && w.padding_high == 0 && w.base_dilation == 1) continue;
    const bool whole = w.size == n && w.stride == 1 && w.window_dilation == 1 && w.base_dilation == 1 && n > 1;
    const bool forward = whole && w.padding_low == n - 1 && w.padding_high == 0;
    const bool backward = whole && w.padding_low == 0 && w.padding_high == n - 1;
    if (found >= 0 || !(forward || backward)) return -1;
    found = static_cast<int>(d);
    reverse = backward;
  }
  return found;
}

void running(const WindowReduce& r, int dimension, bool reverse) {
  Emitter& e = r.e;
  hlo::Dimensions others = r.output();
  const int64_t extent = others[dimension];
  others[dimension] = 1;
  e.loop_over(others, [&](const std::vector<Affine>& at) {
    e.loop(0, extent, 1, flatten(r.initial(1)), [&](Affine t, std::span<const ValueId> acc) {
      Index index;
      index.at = at;
      index.at[dimension] = reverse ? t.times(-1).plus(extent - 1) : t;
      // Running from the far end visits elements last to first; the reducer sees (earlier, later) all the same.
      std::vector<Element> sum = reverse ? r.combine(r.load(index), r.unflatten(acc)) : r.combine(r.unflatten(acc), r.load(index));
      r.finish(index, sum);
      return flatten(sum);
    });
  });
}

}  // namespace

void schedule(hlo::Op<Opcode::kReduceWindow>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const WindowReduce r{e, id, i, i.get<hlo::WindowAttributes>().window, static_cast<int>(i.operands.size() / 2)};
  bool reverse = false;
  const int dimension = running_dimension(r, reverse);
  if (dimension >= 0) return running(r, dimension, reverse);
  int lanes = 1;
  const int last = r.input().rank() - 1;
  if (last >= 0 && r.inputs == 1 && !i.shape.is_tuple()) {
    const auto& w = r.window.dimensions[last];
    const bool whole = w.size == 1 && w.stride == 1 && w.padding_low == 0 && w.padding_high == 0 && w.base_dilation == 1;
    const bool monoid = ops::plain_reducer(e.group().module->computations[i.called[0]]).has_value();
    bool all = whole && monoid && e.vectorizable(i.operands[0], last);
    for (InstructionId root : e.group().roots) all = all && (root == id || e.vectorizable(root, last));
    if (all) lanes = e.preferred_lanes(i.shape.dimensions.back());
  }
  plain_windows(r, lanes);
}

void schedule(hlo::Op<Opcode::kSelectAndScatter>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  kernel::Builder& b = e.b;
  const auto& window = i.get<hlo::WindowAttributes>().window;
  const hlo::Shape& operand = e.shape(i.operands[0]);
  const hlo::Shape& source = e.shape(i.operands[1]);
  const kernel::BufferId out = e.output_buffer(0);
  const auto parts = [](const Element& x) { return flatten({x}); };
  for_each_vector(e, i.shape.dimensions, 1, [&](const Index& index) {
    e.store(out, i.shape, index, e.operand(i, 2, Index::scalar()));
  });
  // Each window picks the first element that `select` keeps; the source element is scattered onto it.
  const Type position_type{Scalar::kIndex, 1};
  e.loop_over(source.dimensions, [&](const std::vector<Affine>& at) {
    // Carried: found yet, position of the pick, its value.
    Values state{b.constant_int({Scalar::kPred, 1}, 0), b.zero(position_type)};
    for (ValueId v : parts(e.zero(operand))) state.push_back(v);
    Index place;
    place.at.resize(operand.rank());
    const std::function<Values(size_t, ValueId, Values)> next = [&](size_t d, ValueId valid, Values acc) -> Values {
      if (d < window.dimensions.size()) {
        return e.loop(0, window.dimensions[d].size, 1, acc, [&](Affine t, std::span<const ValueId> v) {
          const Tap tap = tap_of(e, window.dimensions[d], operand.dimensions[d], source.dimensions[d], at[d], t);
          place.at[d] = tap.position;
          const ValueId both = tap.valid == kNone ? valid : valid == kNone ? tap.valid : b.logical_and(valid, tap.valid);
          return next(d + 1, both, {v.begin(), v.end()});
        });
      }
      const auto visit = [&]() -> Values {
        const Element candidate = e.operand(i, 0, place);
        const Element current{acc[2], acc.size() > 3 ? acc[3] : kNone};
        const Element keep = e.call(i.called[0], {current, candidate})[0];
        const ValueId take = b.logical_or(b.unary(OpKind::kNot, acc[0]), b.unary(OpKind::kNot, keep.re));
        Values picked{b.constant_int({Scalar::kPred, 1}, 1), b.select(take, b.value_of(e.position(operand, place)), acc[1])};
        picked.push_back(b.select(take, candidate.re, current.re));
        if (current.is_complex()) picked.push_back(b.select(take, candidate.im, current.im));
        return picked;
      };
      return valid == kNone ? visit() : e.if_else(valid, visit, [&] { return acc; });
    };
    const Values pick = next(0, kNone, state);
    Index from;
    from.at = at;
    const Element update = e.operand(i, 1, from);
    e.if_else(pick[0], [&]() -> Values {
      Index where;
      where.flat = true;
      where.at = {Affine::of(pick[1])};
      const Element old = e.load(out, i.shape, where);
      e.store(out, i.shape, where, e.call(i.called[1], {old, update})[0]);
      return {};
    }, []() -> Values { return {}; });
  });
}

}  // namespace hlocc::lowering
