// Any convolution, one output element at a time: what no faster schedule claims. Taps are tested
// against the input and, with base dilation (transposed convolutions), against its holes.
#include "lowering/convolution/convolution.h"

namespace hlocc::lowering {

using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

void convolve_plain(const Convolution& c) {
  Emitter& e = c.e;
  kernel::Builder& b = e.b;
  hlo::Dimensions taps;
  for (int d = 0; d < c.spatial(); ++d) taps.push_back(c.window(d).size);
  e.loop_over(c.output.dimensions, [&](const std::vector<Affine>& at) {
    const Affine feature = at[c.attributes.output_feature];
    // Groups of batches lie one after the other, and each makes its own share of the output
    // features.
    const int64_t batches = c.output.dimensions[c.attributes.output_batch];
    const Affine batch_group =
        e.divmod(feature, std::max<int64_t>(c.output.dimensions[c.attributes.output_feature] /
                                                c.attributes.batch_group_count,
                                            1))
            .first;
    const Affine result_batch = at[c.attributes.output_batch],
                 batch = batch_group.times(batches).plus(result_batch);
    const auto [group, within] = e.divmod(feature, c.group_outputs());
    const Affine first_input = group.times(c.group_inputs());
    std::vector<Affine> tap;
    std::vector<Affine> position;
    const std::function<Values(int, ValueId, Values)> next = [&](int d, ValueId valid,
                                                                 Values acc) -> Values {
      const auto sum = [&] {
        return e.loop(0, c.group_inputs(), 1, acc, [&](Affine k, std::span<const ValueId> v) {
          const Contraction::Tile tile{{}, {}, 1, 1, 1};
          return tile_step(
              e, tile, c.complex, {v.begin(), v.end()},
              [&](int) { return c.load_input(batch, position, first_input.plus(k), 1); },
              [&](int) { return c.load_filter(tap, k, feature, 1); });
        });
      };
      if (d == c.spatial())
        return valid == kernel::kNone ? sum() : e.if_else(valid, sum, [&] { return acc; });
      return e.loop(0, c.window(d).size, 1, acc, [&](Affine t, std::span<const ValueId> v) {
        const auto& w = c.window(d);
        const Affine o = at[c.attributes.output_spatial[d]];
        const ValueId p =
            b.value_of(o.times(w.stride).plus(t.times(w.window_dilation)).plus(-w.padding_low));
        const int64_t span =
            c.input_extent(d) == 0 ? 0 : (c.input_extent(d) - 1) * w.base_dilation + 1;
        ValueId ok = b.logical_and(b.compare(Predicate::kGe, p, b.index(0)),
                                   b.compare(Predicate::kLt, p, b.index(span)));
        ValueId place = p;
        if (w.base_dilation > 1) {
          const Type type{Scalar::kIndex, 1};
          place = b.op(kernel::OpKind::kNativeDiv, type, {p, b.index(w.base_dilation)});
          ok = b.logical_and(ok,
                             b.compare(Predicate::kEq, b.mul(place, b.index(w.base_dilation)), p));
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
    c.finish(result_batch, spatial, feature, 1,
             c.complex ? Element{out[0], out[1]} : Element{out[0]});
  });
}

}  // namespace hlocc::lowering
