// See stacked_taps.h. Column after column of the image: what stands in one is loaded, put
// together and multiplied for each pixel of the tile before the next one is, so that no more of it
// waits beside the sums and the weights.
//
// Fours serve rows at the border, too: what lies beyond it is another row's, by weights of zero. So
// there are weights for each row above and below, and one set for all between.
#include "lowering/convolution/stacked_taps.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace hlocc::lowering {

using kernel::Scalar;
using kernel::ValueId;
using kernel::Values;

namespace {

constexpr int kFour = 4;

// Output rows by the taps that they see: each one whose window reaches beyond the image is a
// border of its own, all others are one.
class Borders {
 public:
  explicit Borders(const Convolution& c) : rows_(c.output_extent(0)) {
    const auto [first, end] = c.inside(0);
    const bool some = first < end;
    first_ = some ? first : 0;
    inside_ = some ? end - first : 1;
    exist_ = first > 0 || end < rows_;
  }
  // Whether a window reaches beyond the image.
  bool exist() const { return exist_; }
  int64_t count() const { return rows_ - inside_ + 1; }
  // A row of that border.
  int64_t row(int64_t border) const { return border <= first_ ? border : border + inside_ - 1; }
  Affine of(kernel::Builder& b, const Affine& row) const {
    if (count() == 1) return Affine{};
    if (inside_ == 1) return row;
    const ValueId above = b.min(b.value_of(row), b.index(first_)),
                  below = b.max(b.value_of(row.plus(1 - first_ - inside_)), b.index(0));
    return Affine::of(above).plus(Affine::of(below));
  }

 private:
  int64_t rows_, first_, inside_;
  bool exist_ = false;
};

class StackedTaps {
 public:
  StackedTaps(const Row& row, const Tile& tile)
      : row_(row), c_(row.c), tile_(tile), height_(row.c.window(0).size) {
    if (c_.stacked->taps == kFour) {
      const Borders borders(c_);
      border_ = borders.of(c_.e.b, row.outer[0]);
      is_within_ = !borders.exist();
    }
  }

  Values run(Values sums) {
    if (tile_.bordered) return run_bordered(std::move(sums));
    // Of each column that the tile sees: the pixels that it serves, and by which tap; and those
    // that see what stands beside the image.
    std::map<int64_t, std::vector<Use>> columns;
    std::vector<Use> beside;
    for (int64_t tap = 0; tap < row_.w().size; ++tap) {
      const auto [first, end] = rows_with_tap(row_, tile_, tap);
      for (int r = 0; r < tile_.rows; ++r) {
        std::vector<Use>& uses = first <= r && r < end
                                     ? columns[r * row_.w().stride + tap * row_.w().window_dilation]
                                     : beside;
        uses.push_back({r, Affine::constant(tap)});
      }
    }
    for (const auto& [column, uses] : columns) add(row_.start(tile_.row).plus(column), uses, sums);
    if (c_.outside != 0) add_pairs(std::nullopt, beside, sums);
    return sums;
  }

 private:
  struct Use {
    int r;
    Affine tap;
  };

  // Taps are known at run time.
  Values run_bordered(Values sums) const {
    const Taps range = c_.taps(1, tile_.row);
    const auto over = [&](const Affine& low, const Affine& high, bool is_beside) {
      sums = c_.e.loop(low, high, std::move(sums), [&](Affine tap, std::span<const ValueId> in) {
        Values out(in.begin(), in.end());
        for (int r = 0; r < tile_.rows; ++r) {
          if (is_beside) add_pairs(std::nullopt, {{r, tap}}, out);
          if (!is_beside) add(at(r, tap), {{r, tap}}, out);
        }
        return out;
      });
    };
    over(range.low, range.high, false);
    if (c_.outside == 0) return sums;
    over(Affine::constant(0), range.low, true);
    over(range.high, Affine::constant(row_.w().size), true);
    return sums;
  }

  Affine at(int r, const Affine& tap) const {
    return row_.start(tile_.row.plus(r)).plus(tap.times(row_.w().window_dilation));
  }
  ValueId input(int64_t y, const Affine& x, const Affine& feature) const {
    const Affine from = is_within_ ? input_row(row_, 0, Affine::constant(y)) : nearest_row(y);
    return c_.load_input(row_.batch, {from, x}, feature, tile_.lanes).re;
  }
  // The row of that tap, or the image's nearest one.
  Affine nearest_row(int64_t y) const {
    kernel::Builder& b = c_.e.b;
    const ValueId at = b.value_of(input_row(row_, 0, Affine::constant(y)));
    return Affine::of(b.max(b.min(at, b.index(c_.input_extent(0) - 1)), b.index(0)));
  }
  // Of column x those of rows y and y + 1.
  ValueId pair(int64_t y, const Affine& x, const Affine& feature) const {
    kernel::Builder& b = c_.e.b;
    const ValueId upper = b.convert(input(y, x, feature), Scalar::kS16),
                  lower = b.convert(input(y + 1, x, feature), Scalar::kS16);
    return b.insert(b.splat(upper, 2), lower, 1);
  }

  void add(const Affine& x, const std::vector<Use>& uses, Values& sums) const {
    if (c_.stacked->taps == kFour) return add_fours(x, uses, sums);
    add_pairs(x, uses, sums);
  }

  // Of column x four rows, lane by lane; of fewer the last one again.
  ValueId four(const Affine& x, const Affine& feature) const {
    Values rows;
    const Scalar element = c_.e.scalar(c_.form.input);
    for (int64_t y = 0; y < height_; ++y)
      rows.push_back(c_.e.b.convert(input(y, x, feature), element));
    rows.resize(kFour, rows.back());
    return interleaved(interleaved(rows[0], rows[1], 1), interleaved(rows[2], rows[3], 1), 2);
  }
  // Groups of so many lanes of a and of b, by turns.
  ValueId interleaved(ValueId a, ValueId b, int group) const {
    const int lanes = c_.e.b.type(a).lanes;
    std::vector<int> from;
    for (int n = 0; n < lanes; n += group)
      for (const int side : {0, lanes})
        for (int i = 0; i < group; ++i) from.push_back(side + n + i);
    return c_.e.b.shuffle(a, b, from);
  }

  void add_fours(const Affine& x, const std::vector<Use>& uses, Values& sums) const {
    for (int v = 0; v < tile_.vectors; ++v) {
      const Affine feature = tile_.column.plus(int64_t{v} * tile_.lanes);
      const ValueId column = four(x, feature);
      for (const auto& [r, tap] : uses) {
        const Affine place =
            border_.times(row_.w().size).plus(tap).times(c_.groups()).plus(feature);
        ValueId& sum = sums[r * tile_.vectors + v];
        sum = dot_accumulate(
            c_.e, sum, column,
            c_.e.b.load(c_.stacked->buffer, place.times(kFour), kFour * tile_.lanes));
      }
    }
  }

  // Of a column of the image, or of one beside it, which is one number.
  void add_pairs(const std::optional<Affine>& x, const std::vector<Use>& uses, Values& sums) const {
    kernel::Builder& b = c_.e.b;
    for (int v = 0; v < tile_.vectors; ++v) {
      const Affine feature = tile_.column.plus(v);
      int64_t y = 0;
      for (; y + 1 < height_; y += 2) {
        const ValueId two =
            x ? pair(y, *x, feature) : b.constant_int({Scalar::kS16, 2}, c_.outside);
        for (const auto& [r, tap] : uses) {
          const Affine place = tap.plus(y / 2 * row_.w().size).times(c_.groups()).plus(feature);
          ValueId& sum = sums[r * tile_.vectors + v];
          sum = dot_accumulate(c_.e, sum, two, b.load(c_.stacked->buffer, place.times(2), 2));
        }
      }
      if (y == height_) continue;
      const ValueId one = x ? input(y, *x, feature) : b.constant_int({c_.sum, 1}, c_.outside);
      for (const auto& [r, tap] : uses) {
        ValueId& sum = sums[r * tile_.vectors + v];
        sum = multiply_accumulate(
            c_.e, sum, one, c_.load_filter({Affine::constant(y), tap}, Affine{}, feature, 1).re);
      }
    }
  }

  const Row& row_;
  const Convolution& c_;
  const Tile& tile_;
  int64_t height_;
  Affine border_;          // which weights
  bool is_within_ = true;  // rows see no border
};

// Bytes of the filter as numbers.
int byte_of(const hlo::Literal& filter, int64_t at) {
  const auto bits = std::to_integer<uint8_t>(filter.bytes()[at]);
  return filter.type() == hlo::PrimitiveType::kS8 ? static_cast<int8_t>(bits) : bits;
}

// s16[pairs, columns of the window, features, 2].
StackedWeights weights_in_pairs(const Convolution& c) {
  const int64_t width = c.window(1).size, features = c.groups(), pairs = c.window(0).size / 2;
  std::vector<std::byte> out(pairs * width * features * 4);
  for (int64_t y = 0; y < 2 * pairs; ++y)
    for (int64_t x = 0; x < width; ++x)
      for (int64_t feature = 0; feature < features; ++feature) {
        const auto weight =
            static_cast<int16_t>(byte_of(*c.filter, (y * width + x) * features + feature));
        std::memcpy(out.data() + (((y / 2 * width + x) * features + feature) * 2 + y % 2) * 2,
                    &weight, sizeof(weight));
      }
  return {c.e.derived_constant("pairs", Scalar::kS16, std::move(out), 4), 2};
}

// Bytes of [borders, columns of the window, features, 4].
StackedWeights weights_in_fours(const Convolution& c) {
  const Borders borders(c);
  const int64_t width = c.window(1).size, features = c.groups();
  std::vector<std::byte> out(borders.count() * width * features * kFour);
  for (int64_t border = 0; border < borders.count(); ++border) {
    const Taps seen = c.taps(0, Affine::constant(borders.row(border)));
    for (int64_t y = seen.low.offset; y < seen.high.offset; ++y)
      for (int64_t n = 0; n < width * features; ++n)
        out[(border * width * features + n) * kFour + y] =
            c.filter->bytes()[y * width * features + n];
  }
  const Scalar element = c.e.scalar(c.filter->shape());
  constexpr int64_t kVector = 128;
  return {c.e.derived_constant("fours", element, std::move(out), kVector), kFour};
}

}  // namespace

StackedWeights stack_weights(const Convolution& c, int taps) {
  return taps == kFour ? weights_in_fours(c) : weights_in_pairs(c);
}

Values stacked_taps(const Row& row, const Tile& tile, Values sums) {
  return StackedTaps(row, tile).run(std::move(sums));
}

}  // namespace hlocc::lowering
