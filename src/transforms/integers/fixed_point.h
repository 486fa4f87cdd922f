// Fixed-point numbers that equal the same step function: (x * factor + offset) >> shift, in the few
// operations that a 32-bit core has for it.
#pragma once
#include "transforms/integers/monotone_chain.h"
#include "transforms/integers/ties.h"

namespace hlocc::transforms {

// How the product of more than 32 bits is computed; all give
// floor((x * 2^before * factor + offset * 2^part) / 2^shift).
struct FixedForm {
  // 0: the high word of a long multiplication, ((x << before) * factor >> 32) + offset, shifted by
  // shift - 32; part is 32. Else the factor is cut into so many pieces of 32-bit multiplications,
  // the lowest first: ((x * f0 >> bits) + x * f1 >> bits) + x * f2 + offset, shifted by
  // shift - part; part is bits * (pieces - 1), before is 0.
  int pieces = 0;
  int before = 0, bits = 0;
  // In each channel so many x may count as x + 1: floats round on the way, which moves thresholds
  // that fall nearly on a number.
  int corrections = 0;
  // Another offset where x is negative: halves away from zero bend the line.
  bool bent = false;
  // The offset is part of what is multiplied, ((x << before) + offset) * factor >> 32, and so one
  // number with a bias; bent where that high word is below `turn`.
  bool inside = false;

  int part() const { return pieces == 0 ? 32 : bits * (pieces - 1); }
};

struct FixedPoint {
  FixedForm form;
  int shift = 0;
  Ties ties = Ties::kByOffset;
  std::vector<int64_t> factors, offsets;  // of each channel
  // The x that count as x + 1, form.corrections lists of one for each channel; below the range:
  // none.
  std::vector<std::vector<int64_t>> corrections;
  int64_t low = 0, high = 0;   // its clamps: what comes out at most
  std::vector<int64_t> bends;  // of form.bent, what comes on top of each offset or high word
  int64_t turn = 0;            // of form.inside
};

// A line and the step function that it must equal, of one channel.
struct ChannelFit {
  StepFunction function;
  MonotoneChain::Line line;
};

// One shift for all channels and for each a factor and an offset with which the form, clamped,
// equals the step function at every x of their range, and with which nothing overflows. None if
// there are none near the lines. The forms in the order of their cost, with a long multiplication
// or without and with up to so many corrections.
std::optional<FixedPoint> fit(const std::vector<ChannelFit>& channels, bool long_multiply,
                              int most_corrections);
// The same with the offset inside. None where sums leave it no room.
std::optional<FixedPoint> fit_inside(const std::vector<ChannelFit>& channels);

}  // namespace hlocc::transforms
