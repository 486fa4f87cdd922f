// Convolutions whose input is padded beforehand with a number of its own, as quantised networks pad
// with their zero point: where a way brings windows to scratch, what lies beside the input is
// written there, and the padded array is never made. transforms/ asks whether a pad goes with its
// convolution, lowering/ emits it so: one answer for both.
#pragma once
#include "costs/convolution.h"

namespace hlocc::costs {

// The same convolution of what the pad pads.
struct UnpaddedConvolution {
  hlo::Instruction convolution;  // of the pad's operand, with a window that is padded instead
  int64_t outside = 0;           // with this number
};
// None: its operand is no pad of bytes with a known number, or the window has zeros of its own.
std::optional<UnpaddedConvolution> without_pad(const hlo::Computation& computation,
                                               const hlo::Instruction& convolution);

// Whether a way that serves such windows takes it, of an input and a known filter in memory.
bool takes_pad(const hlo::Module& module, const hlo::Computation& computation,
               const hlo::Instruction& convolution, const Target& target);

}  // namespace hlocc::costs
