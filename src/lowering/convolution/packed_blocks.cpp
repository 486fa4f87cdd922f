// See packed_blocks.h.
#include "lowering/convolution/packed_blocks.h"

#include <algorithm>

namespace hlocc::lowering {

using kernel::Predicate;
using kernel::ValueId;
using kernel::Values;

namespace {

class BlockOfRows {
 public:
  BlockOfRows(const Convolution& c, const costs::PackedPlan& plan, LoadPixels load)
      : c_(c), e_(c.e), load_(std::move(load)), rows_(plan.block), last_(c.spatial() - 1) {
    const hlo::WindowDimension& w = c.window(last_);
    columns_ = (c.output_extent(last_) - 1) * w.stride + w.size;
    pitch_ = columns_ * c.group_inputs();
    if (last_ > 0) {
      const hlo::WindowDimension& tall = c.window(0);
      lines_ = (rows_ - 1) * tall.stride + (tall.size - 1) * tall.window_dilation + 1;
    }
  }

  int64_t rows() const { return rows_ * c_.output_extent(last_); }
  // A k step may reach beyond the last pixel.
  int64_t steps(int64_t k_step) const { return lines_ * pitch_ + k_step; }

  Affine place(const Affine& row, const Affine& segment) const {
    const auto [y, x] = e_.divmod(row, c_.output_extent(last_));
    const Affine begin = x.times(c_.window(last_).stride * c_.group_inputs());
    if (last_ == 0) return begin;
    const hlo::WindowDimension& tall = c_.window(0);
    const Affine line = y.times(tall.stride).plus(segment.times(tall.window_dilation));
    return line.times(pitch_).plus(begin);
  }

  void bring(const LeftRows& to, const Affine& first) const {
    const auto [rest, x] = e_.divmod(first, c_.output_extent(last_));
    if (last_ == 0) return bring_line(to, rest, {}, Affine{});
    const auto [batch, y] = e_.divmod(rest, c_.output_extent(0));
    const hlo::WindowDimension& tall = c_.window(0);
    const Affine top = y.times(tall.stride).plus(-tall.padding_low);
    const int64_t most = (c_.output_extent(0) - rows_) * tall.stride - tall.padding_low + lines_;
    e_.loop(lines_, [&](Affine line) {
      const Affine at = top.plus(line), base = line.times(pitch_);
      const auto whole = [&] {
        bring_line(to, batch, {at}, base);
        return Values{};
      };
      const auto none = [&] {
        to.fill(base, pitch_, c_.outside);
        return Values{};
      };
      kernel::Builder& b = e_.b;
      ValueId exists = kernel::kNone;
      if (tall.padding_low > 0) exists = b.compare(Predicate::kGe, b.value_of(at), b.index(0));
      if (most > c_.input_extent(0)) {
        const ValueId before =
            b.compare(Predicate::kLt, b.value_of(at), b.index(c_.input_extent(0)));
        exists = exists == kernel::kNone ? before : b.logical_and(exists, before);
      }
      if (exists == kernel::kNone)
        whole();
      else
        e_.if_else(exists, whole, none);
    });
  }

 private:
  // One row of the input, of which windows see what lies beside it, too.
  void bring_line(const LeftRows& to, const Affine& batch, std::vector<Affine> at,
                  const Affine& base) const {
    const int64_t inputs = c_.group_inputs(),
                  left = std::min(c_.window(last_).padding_low, columns_),
                  inside = std::clamp<int64_t>(columns_ - left, 0, c_.input_extent(last_));
    at.push_back(Affine{});
    to.fill(base, left * inputs, c_.outside);
    to.copy(Affine{}, base, left * inputs, inside * inputs, true,
            [&](const Affine& from, int lanes) { return load_(batch, at, from, lanes); });
    to.fill(base.plus((left + inside) * inputs), (columns_ - left - inside) * inputs, c_.outside);
  }

  const Convolution& c_;
  Emitter& e_;
  LoadPixels load_;
  int64_t rows_;
  int last_;
  int64_t columns_ = 0, pitch_ = 0, lines_ = 1;  // of the input's rows with what stands beside them
};

}  // namespace

PackedProduct::Block block_of(const Convolution& c, const costs::PackedPlan& plan,
                              LoadPixels load) {
  const auto rows = std::make_shared<const BlockOfRows>(c, plan, std::move(load));
  return {.rows = rows->rows(),
          .steps = rows->steps(plan.choice.kernel->k_step),
          .bring = [rows](const LeftRows& to, const Affine& first) { rows->bring(to, first); },
          .place = [rows](const Affine& row,
                          const Affine& segment) { return rows->place(row, segment); }};
}

}  // namespace hlocc::lowering
