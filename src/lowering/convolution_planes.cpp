// Depthwise convolutions of planes: channels first, so that a channel's picture is one piece of memory and lanes run along its
// rows. A tile is a vector of columns by several rows, which share the rows of input that they see; the filter of a channel
// is spread once. Columns beside the picture are lanes that a mask leaves zero, which known finite weights may be multiplied
// with; rows above and below it are left out.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "lowering/convolution_row.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// Rows at the border that are spelled out.
constexpr int64_t kMostAbove = 8;

bool is_finite(const hlo::Literal& filter) {
  const auto bytes = filter.bytes();
  for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (!std::isfinite(value)) return false;
  }
  return true;
}

class Planes {
 public:
  explicit Planes(const Convolution& c) : c_(c), e_(c.e), rows_(c.window(0)), columns_(c.window(1)), lanes_(c.e.target().lanes(32)) {
    while (lanes_ / 2 >= c.output_extent(1)) lanes_ /= 2;
  }

  void run() {
    e_.loop(c_.output.dimensions[0], [&](Affine batch) {
      e_.loop(c_.output.dimensions[1], [&](Affine feature) {
        batch_ = batch;
        feature_ = feature;
        input_feature_ = e_.divmod(feature, c_.group_outputs()).first;
        spread_filter();
        over_blocks();
      });
    });
  }

 private:
  void spread_filter() {
    filter_.clear();
    for (int64_t y = 0; y < rows_.size; ++y)
      for (int64_t x = 0; x < columns_.size; ++x)
        filter_.push_back(e_.splat(c_.load_filter({Affine::constant(y), Affine::constant(x)}, Affine{}, feature_, 1), lanes_).re);
  }

  // Vectors along a row: those that touch its ends stand at known places.
  void over_blocks() {
    const int64_t width = c_.output_extent(1), reach = (columns_.size - 1) * columns_.window_dilation;
    const auto inside = [&](int64_t x) {
      return x + lanes_ <= width && x >= columns_.padding_low && x - columns_.padding_low + reach + lanes_ <= c_.input_extent(1);
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
    const int height = e_.target().vector_registers >= 32 ? 8 : 6;
    const auto [first, end] = c_.inside(0);
    const auto alone = [&](int64_t from, int64_t to) {
      for (; from < to; from += height) tile(Affine::constant(from), x, static_cast<int>(std::min<int64_t>(height, to - from)));
    };
    if (count <= height) return alone(0, count);
    alone(0, first);
    for (const RowRun& run : cut_rows(end - first, height, true))
      e_.loop(first + run.begin, first + run.end, run.height, {}, [&](Affine y, std::span<const ValueId>) {
        tile(y, x, run.height);
        return Values{};
      });
    alone(end, count);
  }

  // Input row `y` from the column that tap `tap` of output column x sees; nothing if no lane sees one.
  ValueId input(const Affine& y, const Affine& x, int64_t tap) {
    const Affine from = x.plus(tap * columns_.window_dilation - columns_.padding_low);
    const Affine at = e_.position(c_.input, {{batch_, input_feature_, y, from}, 3, lanes_});
    kernel::Access access{.buffer = e_.input_buffer(c_.i.operands[0]), .at = at};
    if (!inside_) {
      const int64_t low = std::max<int64_t>(0, -from.offset), high = std::min<int64_t>(lanes_, c_.input_extent(1) - from.offset);
      if (low >= high) return kernel::kNone;
      std::vector<uint64_t> sees(lanes_);
      for (int64_t lane = low; lane < high; ++lane) sees[lane] = 1;
      if (high - low < lanes_) access.mask = e_.b.constant_lanes({kernel::Scalar::kPred, static_cast<uint16_t>(lanes_)}, sees);
    }
    return e_.b.load(access, lanes_);
  }

  void tile(const Affine& y, const Affine& x, int height) {
    Values sums(height, e_.b.zero({c_.sum, static_cast<uint16_t>(lanes_)}));
    const Affine top = y.times(rows_.stride).plus(-rows_.padding_low);
    const int64_t last = (height - 1) * rows_.stride + (rows_.size - 1) * rows_.window_dilation;
    for (int64_t tap_x = 0; tap_x < columns_.size; ++tap_x)
      for (int64_t row = 0; row <= last; ++row) {
        const Affine at = top.plus(row);
        if (at.is_constant() && (at.offset < 0 || at.offset >= c_.input_extent(0))) continue;
        ValueId seen = kernel::kNone;
        for (int r = 0; r < height; ++r) {
          const int64_t steps = row - r * rows_.stride, tap_y = steps / rows_.window_dilation;
          if (steps < 0 || steps % rows_.window_dilation != 0 || tap_y >= rows_.size) continue;
          if (seen == kernel::kNone) seen = input(at, x, tap_x);
          if (seen == kernel::kNone) break;
          sums[r] = multiply_accumulate(e_, sums[r], seen, filter_[tap_y * columns_.size + tap_x]);
        }
      }
    const int64_t left = inside_ ? lanes_ : c_.output_extent(1) - x.offset;
    e_.with_active_lanes(left < lanes_ ? static_cast<int>(left) : 0, lanes_, [&] {
      for (int r = 0; r < height; ++r) store({{batch_, feature_, y.plus(r), x}, lanes_ > 1 ? 3 : kernel::kNone, lanes_}, sums[r]);
    });
  }

  void store(const Index& index, ValueId value) {
    e_.bind(c_.id, index, {value});
    e_.store_roots(index);
    e_.unbind(c_.id);
  }

  const Convolution& c_;
  Emitter& e_;
  const hlo::WindowDimension &rows_, &columns_;
  int lanes_;
  Affine batch_, feature_, input_feature_;
  Values filter_;
  bool inside_ = false;  // all lanes of the block see all taps
};

}  // namespace

bool is_planes(const Convolution& c) {
  const hlo::ConvolutionAttributes& a = c.attributes;
  const Target& target = c.e.target();
  const hlo::Dimensions spatial{2, 3};
  if (c.spatial() != 2 || a.input_batch != 0 || a.input_feature != 1 || a.input_spatial != spatial || a.output_batch != 0 ||
      a.output_feature != 1 || a.output_spatial != spatial || a.batch_group_count != 1 || c.group_inputs() != 1)
    return false;
  const bool f32 = c.output.element_type == hlo::PrimitiveType::kF32 && c.input.element_type == hlo::PrimitiveType::kF32 &&
                   c.filter.element_type == hlo::PrimitiveType::kF32;
  if (!f32 || !target.out_of_order || target.vector_bits == 0 || target.options.for_size() || !c.e.masks_pass() || !c.e.group().is_external(c.i.operands[0])) return false;
  const hlo::Literal* filter = c.e.group().is_external(c.i.operands[1]) ? c.e.constant_of(c.i.operands[1]) : nullptr;
  if (filter == nullptr || !is_finite(*filter)) return false;
  for (int d = 0; d < 2; ++d)
    if (c.window(d).base_dilation != 1 || c.window(d).size > kWidestUnrolled || c.window(d).padding_low < 0) return false;
  const auto [first, end] = c.inside(0);
  return c.window(1).stride == 1 && first <= kMostAbove && c.output_extent(0) - end <= kMostAbove;
}

void convolve_planes(const Convolution& c) { Planes(c).run(); }

}  // namespace hlocc::lowering
