// See depthwise_pairs.h. Column after column of the picture: what stands in one is loaded, put
// together and multiplied for each pixel of the tile before the next one is, so that no more of it
// waits beside the sums and the weights.
#include "lowering/convolution/depthwise_pairs.h"

#include <cstring>
#include <map>

namespace hlocc::lowering {

using kernel::Scalar;
using kernel::ValueId;
using kernel::Values;

namespace {

class PairedTaps {
 public:
  PairedTaps(const Row& row, const Tile& tile)
      : row_(row), c_(row.c), tile_(tile), height_(row.c.window(0).size) {}

  Values run(Values sums) {
    if (tile_.bordered) {
      const Taps range = c_.taps(1, tile_.row);
      return c_.e.loop(range.low, range.high, std::move(sums),
                       [&](Affine tap, std::span<const ValueId> in) {
                         Values out(in.begin(), in.end());
                         for (int r = 0; r < tile_.rows; ++r) add(at(r, tap), {{r, tap}}, out);
                         return out;
                       });
    }
    // Of each column that the tile sees: the pixels that it serves, and by which tap.
    std::map<int64_t, std::vector<Use>> columns;
    for (int64_t tap = 0; tap < row_.w().size; ++tap) {
      const auto [first, end] = rows_with_tap(row_, tile_, tap);
      for (int r = first; r < end; ++r)
        columns[r * row_.w().stride + tap * row_.w().window_dilation].push_back(
            {r, Affine::constant(tap)});
    }
    for (const auto& [column, uses] : columns) add(row_.start(tile_.row).plus(column), uses, sums);
    return sums;
  }

 private:
  struct Use {
    int r;
    Affine tap;
  };

  Affine at(int r, const Affine& tap) const {
    return row_.start(tile_.row.plus(r)).plus(tap.times(row_.w().window_dilation));
  }
  ValueId input(int64_t y, const Affine& x, const Affine& feature) const {
    const Affine from = input_row(row_, 0, Affine::constant(y));
    return c_.load_input(row_.batch, {from, x}, feature, 1).re;
  }
  // Of column x those of rows y and y + 1.
  ValueId pair(int64_t y, const Affine& x, const Affine& feature) const {
    kernel::Builder& b = c_.e.b;
    const ValueId upper = b.convert(input(y, x, feature), Scalar::kS16),
                  lower = b.convert(input(y + 1, x, feature), Scalar::kS16);
    return b.insert(b.splat(upper, 2), lower, 1);
  }

  void add(const Affine& x, const std::vector<Use>& uses, Values& sums) const {
    kernel::Builder& b = c_.e.b;
    for (int v = 0; v < tile_.vectors; ++v) {
      const Affine feature = tile_.column.plus(v);
      int64_t y = 0;
      for (; y + 1 < height_; y += 2) {
        const ValueId two = pair(y, x, feature);
        for (const auto& [r, tap] : uses) {
          const Affine place = tap.plus(y / 2 * row_.w().size).times(c_.groups()).plus(feature);
          ValueId& sum = sums[r * tile_.vectors + v];
          sum = dot_accumulate(c_.e, sum, two, b.load(*c_.pairs, place.times(2), 2));
        }
      }
      if (y == height_) continue;
      const ValueId one = input(y, x, feature);
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
};

}  // namespace

kernel::BufferId weights_in_pairs(const Convolution& c) {
  const hlo::Literal& filter = *c.filter;
  const int64_t width = c.window(1).size, features = c.groups(), pairs = c.window(0).size / 2;
  std::vector<std::byte> out(pairs * width * features * 4);
  for (int64_t y = 0; y < 2 * pairs; ++y)
    for (int64_t x = 0; x < width; ++x)
      for (int64_t feature = 0; feature < features; ++feature) {
        const auto bits =
            std::to_integer<uint8_t>(filter.bytes()[(y * width + x) * features + feature]);
        const int16_t weight = filter.type() == hlo::PrimitiveType::kS8
                                   ? int16_t{static_cast<int8_t>(bits)}
                                   : int16_t{bits};
        std::memcpy(out.data() + (((y / 2 * width + x) * features + feature) * 2 + y % 2) * 2,
                    &weight, sizeof(weight));
      }
  return c.e.derived_constant("pairs", Scalar::kS16, std::move(out), 4);
}

Values paired_taps(const Row& row, const Tile& tile, Values sums) {
  return PairedTaps(row, tile).run(std::move(sums));
}

}  // namespace hlocc::lowering
