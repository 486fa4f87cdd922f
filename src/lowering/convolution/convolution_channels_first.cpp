// Convolutions with channels first, so that a channel's image is one piece of memory and
// lanes run along its rows. A tile is a vector of columns by several rows and output features.
// Depthwise it has one feature, whose filter is spread once, and rows share the input that they
// see; else a weight is spread for all rows of a tile. Columns beside the image are lanes that a
// mask leaves zero, which known finite weights may be multiplied with; rows above and below it are
// left out.
#include <algorithm>

#include "lowering/convolution/convolution_row.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

class ChannelsFirst {
 public:
  ChannelsFirst(const Convolution& c, const costs::ChannelsFirstTile& tile)
      : c_(c),
        e_(c.e),
        rows_(c.window(0)),
        columns_(c.window(1)),
        lanes_(tile.lanes),
        features_(tile.outputs),
        height_(tile.height) {}

  void run() {
    e_.loop(c_.form.output.dimensions[0], [&](Affine batch) {
      e_.loop(c_.groups(), [&](Affine group) {
        batch_ = batch;
        first_input_ = group.times(c_.group_inputs());
        for (const RowRun& run : costs::cut_rows(c_.group_outputs(), features_, true))
          e_.loop(run.begin, run.end, run.height, {},
                  [&](Affine feature, std::span<const ValueId>) {
                    feature_ = group.times(c_.group_outputs()).plus(feature);
                    wide_ = run.height;
                    if (is_depthwise()) spread_filter();
                    over_blocks();
                    return Values{};
                  });
      });
    });
  }

 private:
  bool is_depthwise() const { return wide_ == 1 && c_.group_inputs() == 1; }

  ValueId weight(int64_t y, int64_t x, const Affine& in, const Affine& feature) const {
    return e_
        .splat(c_.load_filter({Affine::constant(y), Affine::constant(x)}, in, feature, 1), lanes_)
        .re;
  }
  void spread_filter() {
    filter_.clear();
    for (int64_t y = 0; y < rows_.size; ++y)
      for (int64_t x = 0; x < columns_.size; ++x)
        filter_.push_back(weight(y, x, Affine{}, feature_));
  }

  // Vectors along a row: those that touch its ends stand at known places.
  void over_blocks() {
    const int64_t width = c_.output_extent(1),
                  reach = (columns_.size - 1) * columns_.window_dilation;
    const auto inside = [&](int64_t x) {
      return x + lanes_ <= width && x >= columns_.padding_low &&
             x - columns_.padding_low + reach + lanes_ <= c_.input_extent(1);
    };
    int64_t x = 0;
    for (; x < width && !inside(x); x += lanes_) over_rows(Affine::constant(x));
    int64_t end = x;
    while (end < width && inside(end)) end += lanes_;
    e_.loop(x, end, lanes_, {}, [&](Affine at, std::span<const ValueId>) {
      inside_ = true;
      over_rows(at);
      inside_ = false;
      return Values{};
    });
    for (x = end; x < width; x += lanes_) over_rows(Affine::constant(x));
  }

  void over_rows(const Affine& x) {
    const int64_t count = c_.output_extent(0);
    const auto [first, end] = c_.inside(0);
    const auto alone = [&](int64_t from, int64_t to) {
      for (; from < to; from += height_)
        tile(Affine::constant(from), x, static_cast<int>(std::min<int64_t>(height_, to - from)));
    };
    if (count <= height_) return alone(0, count);
    alone(0, first);
    for (const RowRun& run : costs::cut_rows(end - first, height_, true))
      e_.loop(first + run.begin, first + run.end, run.height, {},
              [&](Affine y, std::span<const ValueId>) {
                tile(y, x, run.height);
                return Values{};
              });
    alone(end, count);
  }

  // Row `y` of input feature `in` from the column that tap `tap` of output column x sees; nothing
  // if no lane sees one.
  ValueId input(const Affine& in, const Affine& y, const Affine& x, int64_t tap) {
    const Affine from = x.plus(tap * columns_.window_dilation - columns_.padding_low);
    const Affine at =
        e_.position(c_.form.input, {{batch_, first_input_.plus(in), y, from}, 3, lanes_});
    kernel::Access access{.buffer = e_.input_buffer(c_.i.operands[0]), .at = at};
    if (!inside_) {
      const int64_t low = std::max<int64_t>(0, -from.offset),
                    high = std::min<int64_t>(lanes_, c_.input_extent(1) - from.offset);
      if (low >= high) return kernel::kNone;
      std::vector<uint64_t> sees(lanes_);
      for (int64_t lane = low; lane < high; ++lane) sees[lane] = 1;
      if (high - low < lanes_)
        access.mask =
            e_.b.constant_lanes({kernel::Scalar::kPred, static_cast<uint16_t>(lanes_)}, sees);
    }
    return e_.b.load(access, lanes_);
  }

  bool is_above_or_below(const Affine& y) const {
    return y.is_constant() && (y.offset < 0 || y.offset >= c_.input_extent(0));
  }

  void tile(const Affine& y, const Affine& x, int height) {
    const Affine top = y.times(rows_.stride).plus(-rows_.padding_low);
    e_.tile_emitted({wide_ * height, 1, lanes_});
    Values sums(wide_ * height, e_.b.zero({c_.sum, static_cast<uint16_t>(lanes_)}));
    if (is_depthwise()) {
      add_depthwise(top, x, height, sums);
    } else {
      sums = e_.loop(0, c_.group_inputs(), 1, std::move(sums),
                     [&](Affine in, std::span<const ValueId> before) {
                       Values after(before.begin(), before.end());
                       add_dense(in, top, x, height, after);
                       return after;
                     });
    }
    const int64_t left = inside_ ? lanes_ : c_.output_extent(1) - x.offset;
    e_.with_active_lanes(left < lanes_ ? static_cast<int>(left) : 0, lanes_, [&] {
      for (int f = 0; f < wide_; ++f)
        for (int r = 0; r < height; ++r)
          e_.store_roots(c_.id, Index{{batch_, feature_.plus(f), y.plus(r), x}}.along(3, lanes_),
                         {sums[f * height + r]});
    });
  }

  // Tap by tap: the rows that it falls on, times a weight a feature.
  void add_dense(const Affine& in, const Affine& top, const Affine& x, int height, Values& sums) {
    for (int64_t tap_y = 0; tap_y < rows_.size; ++tap_y)
      for (int64_t tap_x = 0; tap_x < columns_.size; ++tap_x) {
        Values seen(height, kernel::kNone);
        bool any = false;
        for (int r = 0; r < height; ++r) {
          const Affine at = top.plus(r * rows_.stride + tap_y * rows_.window_dilation);
          if (!is_above_or_below(at)) seen[r] = input(in, at, x, tap_x);
          any = any || seen[r] != kernel::kNone;
        }
        for (int f = 0; f < wide_ && any; ++f) {
          const ValueId factor = weight(tap_y, tap_x, in, feature_.plus(f));
          for (int r = 0; r < height; ++r)
            if (seen[r] != kernel::kNone)
              sums[f * height + r] = multiply_accumulate(e_, sums[f * height + r], seen[r], factor);
        }
      }
  }

  // Row of input by row: the sums that see it share what is loaded.
  void add_depthwise(const Affine& top, const Affine& x, int height, Values& sums) {
    const int64_t last = (height - 1) * rows_.stride + (rows_.size - 1) * rows_.window_dilation;
    for (int64_t tap_x = 0; tap_x < columns_.size; ++tap_x)
      for (int64_t row = 0; row <= last; ++row) {
        const Affine at = top.plus(row);
        if (is_above_or_below(at)) continue;
        ValueId seen = kernel::kNone;
        for (int r = 0; r < height; ++r) {
          const int64_t steps = row - r * rows_.stride, tap_y = steps / rows_.window_dilation;
          if (steps < 0 || steps % rows_.window_dilation != 0 || tap_y >= rows_.size) continue;
          if (seen == kernel::kNone) seen = input(Affine{}, at, x, tap_x);
          if (seen == kernel::kNone) break;
          sums[r] = multiply_accumulate(e_, sums[r], seen, filter_[tap_y * columns_.size + tap_x]);
        }
      }
  }

  const Convolution& c_;
  Emitter& e_;
  const hlo::WindowDimension &rows_, &columns_;
  const int lanes_, features_, height_;  // of a tile
  Affine batch_, feature_, first_input_;
  int wide_ = 1;  // features of this run's tiles
  Values filter_;
  bool inside_ = false;  // all lanes of the block see all taps
};

}  // namespace

void emit(Convolution& c, const costs::ChannelsFirstPlan& plan) {
  ChannelsFirst(c, plan.tile).run();
}

}  // namespace hlocc::lowering
