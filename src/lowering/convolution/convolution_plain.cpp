// Any convolution, one output element at a time: what no faster schedule claims. Taps are tested
// against the input and, with base dilation (transposed convolutions), against its holes.
#include "lowering/convolution/convolution.h"

namespace hlocc::lowering {

using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

// One output element: a walk over the taps that carries its sum.
class PlainElement {
 public:
  PlainElement(const Convolution& c, const std::vector<Affine>& at)
      : c_(c), at_(at), feature_(at[c.form.attributes.output_feature]) {
    // Groups of batches lie one after the other, and each makes its own share of the output
    // features.
    const int64_t batches = c.form.output.dimensions[c.form.attributes.output_batch];
    const int64_t share = c.form.output.dimensions[c.form.attributes.output_feature] /
                          c.form.attributes.batch_group_count;
    const Affine batch_group = c.e.divmod(feature_, std::max<int64_t>(share, 1)).first;
    result_batch_ = at[c.form.attributes.output_batch];
    batch_ = batch_group.times(batches).plus(result_batch_);
    const auto [group, within] = c.e.divmod(feature_, c.group_outputs());
    first_input_ = group.times(c.group_inputs());
  }

  void run() {
    const Values out =
        over_taps(0, kernel::kNone, Values(c_.is_complex() ? 2 : 1, c_.e.b.zero({c_.sum, 1})));
    std::vector<Affine> spatial;
    for (int d = 0; d < c_.spatial(); ++d)
      spatial.push_back(at_[c_.form.attributes.output_spatial[d]]);
    c_.finish(result_batch_, spatial, feature_, 1,
              c_.is_complex() ? Element{out[0], out[1]} : Element{out[0]});
  }

 private:
  Values over_inputs(const Values& acc) {
    Emitter& e = c_.e;
    return e.loop(0, c_.group_inputs(), 1, acc, [&](Affine k, std::span<const ValueId> v) {
      Operands operands;
      operands.a = [&](int, const Affine& at, int) {
        return c_.load_input(batch_, position_, first_input_.plus(at), 1);
      };
      operands.b = [&](int, const Affine& at) { return c_.load_filter(tap_, at, feature_, 1); };
      const Tile cell{.is_complex = c_.is_complex()};
      return cell.emitter->step(e, cell, {v.begin(), v.end()}, operands, k);
    });
  }

  // Taps of dimension d and of those behind it; `valid`: those before it fall on input (kNone: they
  // always do).
  Values over_taps(int d, ValueId valid, Values acc) {
    Emitter& e = c_.e;
    if (d == c_.spatial()) {
      const auto sum = [&] { return over_inputs(acc); };
      return valid == kernel::kNone ? sum() : e.if_else(valid, sum, [&] { return acc; });
    }
    return e.loop(0, c_.window(d).size, 1, acc, [&](Affine t, std::span<const ValueId> v) {
      const auto [place, ok] = input_of(d, t);
      tap_.push_back(t);
      position_.push_back(Affine::of(place));
      Values out = over_taps(d + 1, valid == kernel::kNone ? ok : e.b.logical_and(valid, ok),
                             {v.begin(), v.end()});
      tap_.pop_back();
      position_.pop_back();
      return out;
    });
  }

  // The input position that tap t of dimension d sees, and whether there is one.
  std::pair<ValueId, ValueId> input_of(int d, const Affine& t) {
    kernel::Builder& b = c_.e.b;
    const auto& w = c_.window(d);
    const Affine o = at_[c_.form.attributes.output_spatial[d]];
    const ValueId p =
        b.value_of(o.times(w.stride).plus(t.times(w.window_dilation)).plus(-w.padding_low));
    const int64_t extent = c_.input_extent(d);
    const int64_t span = extent == 0 ? 0 : (extent - 1) * w.base_dilation + 1;
    const ValueId not_before = b.compare(Predicate::kGe, p, b.index(0));
    const ValueId not_behind = b.compare(Predicate::kLt, p, b.index(span));
    const ValueId ok = b.logical_and(not_before, not_behind);
    if (w.base_dilation == 1) return {p, ok};
    const Type type{Scalar::kIndex, 1};
    const ValueId place = b.op(kernel::OpKind::kNativeDiv, type, {p, b.index(w.base_dilation)});
    const ValueId again = b.mul(place, b.index(w.base_dilation));
    return {place, b.logical_and(ok, b.compare(Predicate::kEq, again, p))};
  }

  const Convolution& c_;
  const std::vector<Affine>& at_;
  Affine feature_, result_batch_, batch_, first_input_;
  std::vector<Affine> tap_, position_;
};

}  // namespace

void emit(Convolution& c, const costs::PlainPlan&) {
  c.e.loop_over(c.form.output.dimensions,
                [&](const std::vector<Affine>& at) { PlainElement(c, at).run(); });
}

}  // namespace hlocc::lowering
