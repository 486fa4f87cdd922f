// The discrete Fourier transform of the middle dimension of [outer, length, inner], unscaled but
// for a given factor, in O(n log n) for every length.
#pragma once
#include "transforms/expand/fft_signal.h"

namespace hlocc::transforms {

struct FourierLine {
  int64_t outer = 1, length = 1, inner = 1;
  int sign = -1;  // of the exponent: -1 forward, 1 inverse
  long double scale = 1;
  Dimensions dimensions() const { return {outer, length, inner}; }
};

// The spectrum as a pair of real arrays of the same dimensions.
Signal fourier(SignalMath& math, const FourierLine& line, Signal x);
// The same as complex numbers, without a pass of its own to put them together.
InstructionId fourier_complex(SignalMath& math, const FourierLine& line, Signal x);

}  // namespace hlocc::transforms
