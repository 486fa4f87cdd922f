// Dense convolutions of bytes as packed products: a row of the product is the window of one output
// pixel, brought to scratch with what lies outside of the input: zeros, or what a pad in front of
// it says. What the windows of a tile's pixels have in common is brought once where rows of scratch
// may begin anywhere; elsewhere it is copied twice, which costs little beside what each step then
// does for all output features.
#include "lowering/contraction/packed_product.h"
#include "lowering/convolution/convolution_row.h"
#include "lowering/convolution/packed_blocks.h"
#include "ops/window_math.h"

namespace hlocc::lowering {

using kernel::Predicate;
using kernel::ValueId;
using kernel::Values;

namespace {

class PackedLowering {
 public:
  PackedLowering(const Convolution& c, const costs::PackedPlan& form)
      : c_(c), e_(c.e), form_(form) {
    const int last = c.spatial() - 1;
    product_.columns = c.group_outputs();
    product_.rows = c.form.output.element_count() / product_.columns;
    for (int d = 0; d < last + (form_.row_taps ? 0 : 1); ++d) product_.segments *= c.window(d).size;
    product_.length = c.group_inputs() * (form_.row_taps ? c.window(last).size : 1);
    product_.left = c.i.operands[0];
    product_.right = c.i.operands[1];
    product_.bias = c.bias;
    product_.sum = c.sum;
    product_.store = [this](const Affine& row, const Affine& column, int lanes, ValueId value) {
      const Pixel pixel = c_.pixels_count ? counted(row) : split(row);
      c_.finish(pixel.batch, pixel.at, column, lanes, {value});
    };
    product_.pitch =
        (form_.shared_columns - (in_pairs() ? c_.window(last).stride : 0)) * c_.group_inputs();
    product_.distance = c_.window(last).stride * c_.group_inputs();
    product_.in_pairs = in_pairs();
    if (form_.block > 0) {
      product_.block =
          block_of(c, form_,
                   [this](const Affine& batch, const std::vector<Affine>& at, const Affine& feature,
                          int lanes) { return load(batch, at, feature, lanes); });
    } else if (form_.pointwise) {
      product_.left_contiguous = true;
      product_.load = [this](const Affine& row, const Affine& k, int lanes) {
        const Pixel pixel = counted(row);
        return load(pixel.batch, pixel.at, k, lanes);
      };
    } else {
      product_.bring = [this](const LeftRows& to, const Affine& slot, const Affine& row,
                              int64_t segment) { bring(to, slot, row, segment); };
    }
  }

  void run() { multiply_packed(e_, product_, form_.choice); }

 private:
  struct Pixel {
    Affine batch;
    std::vector<Affine> at;
  };

  // All pixels as one row: positions count past the ends of their dimensions.
  Pixel counted(const Affine& row) const {
    int dimension = c_.spatial() - 1;
    while (dimension >= 0 && c_.output_extent(dimension) == 1) --dimension;
    Pixel pixel{{}, std::vector<Affine>(c_.spatial())};
    (dimension < 0 ? pixel.batch : pixel.at[dimension]) = row;
    return pixel;
  }
  Pixel split(const Affine& row) const {
    Pixel pixel{row, std::vector<Affine>(c_.spatial())};
    for (int d = c_.spatial() - 1; d >= 0; --d)
      std::tie(pixel.batch, pixel.at[d]) = e_.divmod(pixel.batch, c_.output_extent(d));
    if (c_.form.output.dimensions[0] == 1) pixel.batch = Affine{};
    return pixel;
  }

  ValueId load(const Affine& batch, const std::vector<Affine>& at, const Affine& feature,
               int lanes) const {
    Index index;
    index.at.resize(c_.form.input.rank());
    index.at[0] = batch;
    index.at[c_.form.attributes.input_feature] = feature;
    for (int d = 0; d < c_.spatial(); ++d) index.at[c_.form.attributes.input_spatial[d]] = at[d];
    // One feature has no places to count past its end: the next one is the next pixel's.
    if (c_.group_inputs() == 1)
      index.at[c_.form.attributes.input_spatial.back()] = at.back().plus(feature);
    return e_.operand(c_.i, 0, index.along(c_.form.attributes.input_feature, lanes)).re;
  }

  // Whether a row of taps at a border begins them within k steps.
  bool spells_taps() const {
    return costs::segments_fill_k_steps(*form_.choice.kernel, e_.target()) &&
           c_.group_inputs() % form_.choice.kernel->k_step != 0;
  }

  // Whether a pixel's window lies inside the input; kNone: they all do.
  ValueId is_inside(const Pixel& pixel, int dimensions) const {
    kernel::Builder& b = e_.b;
    ValueId inside = kernel::kNone;
    const auto require = [&](ValueId what) {
      inside = inside == kernel::kNone ? what : b.logical_and(inside, what);
    };
    for (int d = 0; d < dimensions; ++d) {
      const auto [first, end] = c_.inside(d);
      const ValueId at = b.value_of(pixel.at[d]);
      if (first > 0) require(b.compare(Predicate::kGe, at, b.index(first)));
      if (end < c_.output_extent(d))
        require(b.compare(Predicate::kLt, at, b.index(end - others(d))));
    }
    return inside;
  }
  bool some_inside() const {
    for (int d = 0; d < c_.spatial(); ++d)
      if (const auto [first, end] = c_.inside(d); first >= end - others(d)) return false;
    return true;
  }
  bool in_pairs() const { return form_.in_pairs; }
  // Pixels along dimension d that are brought with the first of a tile.
  int64_t others(int d) const {
    return d == c_.spatial() - 1 && form_.shared_columns > 0 ? form_.choice.tile.rows - 1 : 0;
  }

  void bring(const LeftRows& to, const Affine& slot, const Affine& row, int64_t segment) const {
    const Pixel pixel = split(row);
    const auto at_border = [&] {
      fill(to, slot, pixel);
      bring_taps(to, slot, pixel, segment, {}, {}, Affine{}, false);
      return Values{};
    };
    if (!some_inside()) {
      at_border();
      return;
    }
    const auto whole = [&] {
      bring_taps(to, slot, pixel, segment, {}, {}, Affine{}, true);
      return Values{};
    };
    const ValueId inside = is_inside(pixel, c_.spatial());
    if (inside == kernel::kNone)
      whole();
    else
      e_.if_else(inside, whole, at_border);
  }

  // What windows see beside the input, where taps don't write it themselves: of shared columns in
  // pairs that is left to whole rows of the window.
  void fill(const LeftRows& to, const Affine& slot, const Pixel& pixel) const {
    const auto all = [&] {
      to.fill(slot, c_.outside);
      return Values{};
    };
    if (!in_pairs()) {
      all();
      return;
    }
    const ValueId inside = is_inside(pixel, c_.spatial() - 1);
    if (inside != kernel::kNone)
      e_.if_else(
          inside, [] { return Values{}; }, all);
  }

  // The taps of dimension number taps.size() and those after it.
  void bring_taps(const LeftRows& to, const Affine& slot, const Pixel& pixel, int64_t segment,
                  std::vector<Affine> taps, std::vector<Affine> positions, const Affine& number,
                  bool inside) const {
    const int d = static_cast<int>(taps.size());
    const hlo::WindowDimension& w = c_.window(d);
    const auto position = [&](const Affine& tap) {
      return pixel.at[d].times(w.stride).plus(tap.times(w.window_dilation)).plus(-w.padding_low);
    };
    if (d == c_.spatial() - 1 && form_.row_taps) {
      bring_row(to, slot, pixel, number.times(segment), positions, position(Affine{}), inside);
      return;
    }
    const Taps range = inside ? Taps{Affine{}, Affine::constant(w.size)} : c_.taps(d, pixel.at[d]);
    e_.loop(range.low, range.high, {}, [&](Affine tap, std::span<const ValueId>) {
      const Affine next = number.times(w.size).plus(tap);
      if (d < c_.spatial() - 1)
        bring_taps(to, slot, pixel, segment, with(taps, tap), with(positions, position(tap)), next,
                   inside);
      else
        copy(to, slot, pixel, next.times(segment), 0, with(positions, position(tap)),
             c_.group_inputs());
      return Values{};
    });
  }

  // The taps along a row, of which the first falls on position x.
  void bring_row(const LeftRows& to, const Affine& slot, const Pixel& pixel, const Affine& base,
                 const std::vector<Affine>& positions, const Affine& x, bool inside) const {
    const int last = c_.spatial() - 1;
    hlo::WindowDimension w = c_.window(last);
    if (form_.shared_columns > 0) w.size = form_.shared_columns;
    const int64_t inputs = c_.group_inputs(), width = w.size;
    if (in_pairs()) return bring_columns(to, pixel, base, positions, x, inside);
    if (inside) return copy(to, slot, pixel, base, 0, with(positions, x), width * inputs);
    const Taps range =
        taps_on_input(e_, w, c_.input_extent(last), c_.output_extent(last), pixel.at.back());
    const auto tap_at = [&](const Affine& at, const Affine& tap, int64_t extra) {
      copy(to, slot, pixel, at, extra, with(positions, x.plus(tap)), inputs);
      return Values{};
    };
    if (!spells_taps()) {
      e_.loop(range.low, range.high, {}, [&](Affine tap, std::span<const ValueId>) {
        return tap_at(base.plus(tap.times(inputs)), tap, 0);
      });
      return;
    }
    kernel::Builder& b = e_.b;
    for (int64_t tap = 0; tap < width; ++tap) {
      const ValueId exists =
          b.logical_and(b.compare(Predicate::kLe, b.value_of(range.low), b.index(tap)),
                        b.compare(Predicate::kGt, b.value_of(range.high), b.index(tap)));
      e_.if_else(
          exists, [&] { return tap_at(base, Affine::constant(tap), tap * inputs); },
          [] { return Values{}; });
    }
  }

  // The columns of all pixels of a tile, of which the first stands at x.
  void bring_columns(const LeftRows& to, const Pixel& pixel, const Affine& base,
                     const std::vector<Affine>& positions, const Affine& x, bool inside) const {
    const int last = c_.spatial() - 1, rows = form_.choice.tile.rows;
    const hlo::WindowDimension& w = c_.window(last);
    const auto load_at = [&](int64_t column, const Affine& from, int lanes) {
      return load(pixel.batch, with(positions, x.plus(column)), from, lanes);
    };
    LeftRows::Columns columns{
        .count = c_.group_inputs(), .columns = form_.shared_columns, .apart = w.stride};
    columns.used = [&](int64_t first) {
      for (int row = 0; row < rows; row += 2)
        if (first >= row * w.stride && first < row * w.stride + w.size) return true;
      return false;
    };
    columns.load = [&](int64_t column, const Affine& from, int lanes) {
      const ValueId exists = inside ? kernel::kNone : is_on_input(column, x);
      if (exists == kernel::kNone) return load_at(column, from, lanes);
      const auto outside = [&] {
        const kernel::Type type{form_.choice.bytes, static_cast<uint16_t>(lanes)};
        return Values{e_.b.constant_int(type, c_.outside)};
      };
      return e_.if_else(
          exists, [&] { return Values{load_at(column, from, lanes)}; }, outside)[0];
    };
    to.copy_columns(base, columns);
  }
  // Whether a column of the tile whose first one stands at x lies on the input; kNone: in all
  // tiles.
  ValueId is_on_input(int64_t column, const Affine& x) const {
    kernel::Builder& b = e_.b;
    const int last = c_.spatial() - 1;
    const hlo::WindowDimension& w = c_.window(last);
    const int64_t low = column - w.padding_low, end = c_.input_extent(last),
                  high = low + (c_.output_extent(last) - form_.choice.tile.rows) * w.stride;
    const ValueId at = b.value_of(x.plus(column));
    ValueId exists = low < 0 ? b.compare(Predicate::kGe, at, b.index(0)) : kernel::kNone;
    if (high < end) return exists;
    const ValueId before = b.compare(Predicate::kLt, at, b.index(end));
    return exists == kernel::kNone ? before : b.logical_and(exists, before);
  }

  void copy(const LeftRows& to, const Affine& slot, const Pixel& pixel, const Affine& base,
            int64_t extra, const std::vector<Affine>& at, int64_t count) const {
    to.copy(slot, base, extra, count, form_.neighbours,
            [&](const Affine& from, int lanes) { return load(pixel.batch, at, from, lanes); });
  }

  const Convolution& c_;
  Emitter& e_;
  PackedProduct product_;
  const costs::PackedPlan& form_;
};

}  // namespace

void emit(Convolution& c, const costs::PackedPlan& plan) {
  c.begin_with_bias(plan.choice.left == costs::LeftForm::kBiased);
  PackedLowering(c, plan).run();
}

}  // namespace hlocc::lowering
