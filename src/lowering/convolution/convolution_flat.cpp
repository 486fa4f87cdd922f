// Depthwise convolutions whose few features fill no vectors (one: a filter over samples or grey
// pixels; three: colours, the axes of a sensor), stride 1 along the row. All elements of a row are
// one line, pixel after pixel: lanes run along it, and tap t of an element lies t pixels further
// on. Filters are repeated along the line, so that a vector of them can begin at any feature.
// Pixels at the ends of a row, which don't see all taps, come one by one.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "lowering/convolution/convolution_row.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

int64_t features_of(const Convolution& c) { return c.groups(); }

class FlatRows {
 public:
  FlatRows(const Convolution& c, int lanes)
      : c_(c), e_(c.e), features_(features_of(c)), lanes_(lanes), row_{c, {}, {}, {}, false} {
    if (features_ > 1) repeat_filter();
  }

  void run() {
    hlo::Dimensions outer;
    for (int d = 0; d < row_.last(); ++d) outer.push_back(c_.output_extent(d));
    e_.loop(c_.form.output.dimensions[c_.form.attributes.output_batch], [&](Affine batch) {
      e_.loop_over(outer, [&](const std::vector<Affine>& at) {
        row_.batch = batch;
        row_.outer = at;
        const auto [first, end] = c_.inside(row_.last());
        run_ends(0, first);
        run_line(Affine::constant(first), (end - first) * features_,
                 {Affine::constant(0), Affine::constant(row_.w().size)});
        run_ends(end, c_.output_extent(row_.last()));
      });
    });
  }

 private:
  // Row t of the filters, one after the other and once more: `features_ + lanes_ - 1` numbers.
  int64_t repeated() const { return features_ + lanes_ - 1; }
  void repeat_filter() {
    const hlo::Literal& filter = *e_.constant_of(c_.i.operands[1]);
    const int64_t element = hlo::storage_bytes(filter.type()),
                  taps = filter.element_count() / features_;
    std::vector<std::byte> out(taps * repeated() * element);
    for (int64_t t = 0; t < taps; ++t)
      for (int64_t n = 0; n < repeated(); ++n)
        std::memcpy(out.data() + (t * repeated() + n) * element,
                    filter.bytes().data() + (t * features_ + n % features_) * element, element);
    filters_ = e_.derived_constant("repeated", e_.scalar(filter.shape()), std::move(out));
  }
  ValueId filter_at(const std::vector<Affine>& taps, int64_t feature, int lanes) const {
    if (features_ == 1) return e_.splat(c_.load_filter(taps, Affine{}, Affine{}, 1), lanes).re;
    Affine t;
    for (int d = 0; d < c_.spatial(); ++d) t = t.times(c_.window(d).size).plus(taps[d]);
    return e_.b.convert(e_.b.load(filters_, t.times(repeated()).plus(feature), lanes), c_.sum);
  }

  // Element `place` of the line that begins at pixel x, by its position in the whole array.
  Index flat_index(const hlo::Shape& shape, const hlo::Dimensions& spatial,
                   const std::vector<Affine>& outer, const Affine& x, const Affine& place,
                   int lanes) const {
    Affine at = row_.batch;
    for (size_t d = 0; d < outer.size(); ++d)
      at = at.times(shape.dimensions[spatial[d]]).plus(outer[d]);
    at = at.times(shape.dimensions[spatial.back()]).plus(x).times(features_).plus(place);
    return {{at}, 0, lanes, true};
  }
  Index input_index(const std::vector<Affine>& positions, const Affine& x, const Affine& place,
                    int lanes) const {
    return flat_index(c_.form.input, c_.form.attributes.input_spatial, positions, x, place, lanes);
  }
  Index output_index(const Affine& x, const Affine& place, int lanes) const {
    return flat_index(c_.form.output, c_.form.attributes.output_spatial, row_.outer, x, place,
                      lanes);
  }

  // Elements [0, count) of the line that begins at pixel x, all of which see the same taps of the
  // row.
  void run_line(const Affine& x, int64_t count, const Taps& taps) {
    int64_t begin = 0;
    for (int lanes = lanes_; lanes >= 1; lanes /= 2) {
      const int64_t turn = std::lcm(features_, lanes) / lanes;
      const int64_t most =
          std::max<int64_t>(turn, (e_.target().options.for_size() ? 1 : 8) / turn * turn);
      for (int64_t vectors = most; vectors > 0; vectors = vectors / 2 / turn * turn) {
        const int64_t step = vectors * lanes, end = begin + (count - begin) / step * step;
        e_.loop(begin, end, step, {}, [&](Affine place, std::span<const ValueId>) {
          run_tile(x, place, static_cast<int>(vectors), lanes, taps);
          return Values{};
        });
        begin = end;
      }
    }
  }

  void run_tile(const Affine& x, const Affine& place, int vectors, int lanes, const Taps& range) {
    const auto at_tap = [&](const std::vector<Affine>& taps, const std::vector<Affine>& positions,
                            const Affine& tap, Values sums) {
      const Affine from = row_.start(x).plus(tap.times(row_.w().window_dilation));
      for (int v = 0; v < vectors; ++v) {
        const ValueId input =
            e_.operand(c_.i, 0, input_index(positions, from, place.plus(int64_t{v} * lanes), lanes))
                .re;
        const ValueId filter = filter_at(with(taps, tap), int64_t{v} * lanes % features_, lanes);
        sums[v] = multiply_accumulate(e_, sums[v], e_.b.convert(input, c_.sum), filter);
      }
      return sums;
    };
    std::vector<Affine> taps, positions;
    const Values zero(vectors, e_.b.zero({c_.sum, static_cast<uint16_t>(lanes)}));
    const Values sums =
        over_outer_taps(row_, taps, positions, zero, [&](const auto& t, const auto& p, Values in) {
          if (!range.low.is_constant() || !range.high.is_constant() ||
              range.high.offset - range.low.offset > kWidestUnrolled)
            return e_.loop(range.low, range.high, std::move(in),
                           [&](Affine tap, std::span<const ValueId> v) {
                             return at_tap(t, p, tap, {v.begin(), v.end()});
                           });
          for (int64_t tap = range.low.offset; tap < range.high.offset; ++tap)
            in = at_tap(t, p, Affine::constant(tap), std::move(in));
          return in;
        });
    for (int v = 0; v < vectors; ++v)
      store(output_index(x, place.plus(int64_t{v} * lanes), lanes), sums[v]);
  }

  // Pixels [begin, end), which see some of the taps.
  void run_ends(int64_t begin, int64_t end) {
    const auto pixel = [&](const Affine& x) { run_line(x, features_, c_.taps(row_.last(), x)); };
    if (end - begin > costs::most_pixels_alone(e_.target()))
      e_.loop(begin, end, 1, {}, [&](Affine x, std::span<const ValueId>) {
        pixel(x);
        return Values{};
      });
    else
      for (int64_t x = begin; x < end; ++x) pixel(Affine::constant(x));
  }

  void store(const Index& index, ValueId value) {
    e_.bind(c_.id, index, {e_.b.convert(value, e_.scalar(c_.form.output))});
    e_.store_root(0, index);
    e_.unbind(c_.id);
  }

  const Convolution& c_;
  Emitter& e_;
  const int64_t features_;
  const int lanes_;
  Row row_;
  kernel::BufferId filters_ = kernel::kNone;
};

}  // namespace

void emit(Convolution& c, const costs::FlatPlan& plan) { FlatRows(c, plan.lanes).run(); }

}  // namespace hlocc::lowering
