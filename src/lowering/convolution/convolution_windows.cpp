// Depthwise convolutions of bytes by instructions that multiply several bytes at once
// (costs/depthwise_windows.h). The input rows that a strip of output rows sees are brought to
// scratch for a few channels, each column's rows side by side, with zeros (or what a pad in front
// says) beside the image: there a window is one piece of memory, a row further on one byte
// further, and no border reaches the inner loop. Sums of neighbouring channels are finished as one
// vector.
#include <algorithm>

#include "lowering/convolution/convolution_row.h"
#include "lowering/program/in_place.h"
#include "support/rounding.h"

namespace hlocc::lowering {

using costs::WindowsPlan;
using kernel::Predicate;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

// The weights of each channel as its windows lie in scratch.
std::vector<std::byte> weights_of_windows(const Convolution& c, const WindowsPlan& w) {
  const hlo::Literal& filter = *c.filter;
  const int64_t channels = c.groups(), bytes = int64_t{w.vectors} * w.kernel->lanes;
  std::vector<std::byte> out(channels * bytes);
  for (int64_t y = 0; y < c.window(0).size; ++y)
    for (int64_t x = 0; x < c.window(1).size; ++x)
      for (int64_t channel = 0; channel < channels; ++channel)
        out[channel * bytes + x * w.height + y] =
            filter.bytes()[(y * c.window(1).size + x) * channels + channel];
  return out;
}

class ScratchWindows {
 public:
  ScratchWindows(const Convolution& c, const WindowsPlan& w)
      : c_(c), e_(c.e), w_(w), rows_(c.window(0)), columns_(c.window(1)) {
    const kernel::Scalar bytes = e_.scalar(c.form.input);
    weights_ = e_.derived_constant("windows", bytes, weights_of_windows(c, w), w.kernel->lanes);
    scratch_ = e_.b.buffer({.name = "columns",
                            .element = bytes,
                            .elements = w.scratch,
                            .direction = kernel::Direction::kScratch,
                            .space = w.in_stack() ? kernel::Space::kStack : kernel::Space::kArena,
                            .alignment = 8});
  }

  void run() {
    clear();
    e_.loop(c_.form.output.dimensions[0], [&](Affine batch) {
      batch_ = batch;
      over(c_.output_extent(0), w_.strip, [&](const Affine& row, int strip) {
        over(c_.groups(), w_.channels, [&](const Affine& channel, int count) {
          bring(row, strip, channel, count);
          multiply(row, strip, channel, count);
        });
      });
    });
  }

 private:
  // Pieces of that size, of which there is one at least; the last one makes again what lies in the
  // one before, where nothing that is read has been overwritten by then.
  void over(int64_t count, int size, const std::function<void(const Affine&, int)>& body) {
    const bool again = in_place_pairs(e_.group()).empty();
    for (RowRun run : costs::cut_rows(again ? round_up(count, size) : count, size))
      e_.loop(run.begin, run.end, run.height, {}, [&](Affine at, std::span<const ValueId>) {
        if (again && count % size != 0)
          at = Affine::of(e_.b.min(e_.b.value_of(at), e_.b.index(count - size)));
        body(at, run.height);
        return Values{};
      });
  }

  // What stands beside the image.
  ValueId outside(int lanes) {
    return e_.b.constant_int({e_.scalar(c_.form.input), static_cast<uint16_t>(lanes)}, c_.outside);
  }
  // Columns beside the image stay like that.
  void clear() {
    const ValueId all = outside(lanes());
    e_.loop(w_.scratch / lanes(), [&](Affine n) { e_.b.store(scratch_, n.times(lanes()), all); });
  }

  void bring(const Affine& row, int strip, const Affine& channel, int count) {
    const int64_t height = (strip - 1) * rows_.stride + rows_.size;
    e_.loop(height, [&](Affine r) {
      const Affine y = row.times(rows_.stride).plus(r).plus(-rows_.padding_low);
      const auto copy = [&] {
        bring_row(y, r, channel, count, true);
        return Values{};
      };
      const auto border = [&] {
        bring_row(y, r, channel, count, false);
        return Values{};
      };
      const auto [first, end] = c_.inside(0);
      if (first == 0 && end == c_.output_extent(0)) {
        copy();
        return;
      }
      kernel::Builder& b = e_.b;
      const ValueId at = b.value_of(y);
      e_.if_else(b.logical_and(b.compare(Predicate::kGe, at, b.index(0)),
                               b.compare(Predicate::kLt, at, b.index(c_.input_extent(0)))),
                 copy, border);
    });
  }

  // Row `y` of the image, or what stands beside it, as row `r` of the columns.
  void bring_row(const Affine& y, const Affine& r, const Affine& channel, int count, bool known) {
    const int64_t width = std::min(c_.input_extent(1), w_.columns - columns_.padding_low);
    e_.loop(width, [&](Affine x) {
      for (int first = 0; first < count;) {
        const int several = count - first >= 8 ? 8 : count - first >= 4 ? 4 : 1;
        const ValueId bytes = known ? input(y, x, channel.plus(first), several) : outside(several);
        e_.b.store(scratch_,
                   x.plus(columns_.padding_low).times(w_.height).plus(r).plus(first * w_.piece),
                   bytes, w_.piece);
        first += several;
      }
    });
  }

  ValueId input(const Affine& y, const Affine& x, const Affine& channel, int lanes) const {
    return e_.operand(c_.i, 0, Index{{batch_, y, x, channel}}.along(3, lanes)).re;
  }

  void multiply(const Affine& row, int strip, const Affine& channel, int count) {
    const int together = count / w_.sums * w_.sums;
    e_.loop(0, together, w_.sums, {}, [&](Affine first, std::span<const ValueId>) {
      multiply_channels(row, strip, channel, first, w_.sums);
      return Values{};
    });
    e_.loop(together, count, 1, {}, [&](Affine first, std::span<const ValueId>) {
      multiply_channels(row, strip, channel, first, 1);
      return Values{};
    });
  }

  // `several` channels from the piece of scratch of number `first` on.
  void multiply_channels(const Affine& row, int strip, const Affine& channel, const Affine& first,
                         int several) {
    const Affine feature = channel.plus(first);
    std::vector<ValueId> weights;
    for (int n = 0; n < several * w_.vectors; ++n)
      weights.push_back(e_.b.load(
          weights_, feature.times(int64_t{w_.vectors} * lanes()).plus(int64_t{n} * lanes()),
          lanes()));
    e_.loop(strip, [&](Affine y) {
      e_.loop(c_.output_extent(1), [&](Affine x) {
        const Affine window = first.times(w_.piece)
                                  .plus(x.times(columns_.stride * w_.height))
                                  .plus(y.times(rows_.stride));
        Values sums;
        for (int n = 0; n < several; ++n) sums.push_back(sum_of(window, n, weights));
        ValueId value = e_.b.splat(sums[0], several);
        for (int n = 1; n < several; ++n) value = e_.b.insert(value, sums[n], n);
        c_.finish(batch_, {row.plus(y), x}, feature, several, {value});
      });
    });
  }

  ValueId sum_of(const Affine& window, int n, const std::vector<ValueId>& weights) {
    ValueId sum = e_.b.zero({c_.sum, 1});
    for (int v = 0; v < w_.vectors; ++v)
      sum = dot_accumulate(
          e_, sum, e_.b.load(scratch_, window.plus(n * w_.piece + int64_t{v} * lanes()), lanes()),
          weights[n * w_.vectors + v]);
    return sum;
  }

  int lanes() const { return w_.kernel->lanes; }

  const Convolution& c_;
  Emitter& e_;
  const WindowsPlan& w_;
  const hlo::WindowDimension &rows_, &columns_;
  kernel::BufferId weights_, scratch_;
  Affine batch_;
};

}  // namespace

void emit(Convolution& c, const WindowsPlan& plan) {
  c.e.choice.micro_kernel = plan.kernel->id;
  c.e.tile_emitted({plan.strip, 1, plan.sums});
  ScratchWindows(c, plan).run();
}

}  // namespace hlocc::lowering
