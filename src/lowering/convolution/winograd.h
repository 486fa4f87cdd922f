// Winograd's schedule for 3x3 convolutions of stride 1 in f32 whose filter is a constant.
#pragma once
#include "costs/winograd.h"
#include "lowering/convolution/convolution.h"

namespace hlocc::lowering {

using costs::WinogradPlan;
using costs::WinogradSize;

// The convolution, and the pool behind it if there is one (of windows that lie side by side and
// divide every tile).
void emit(Convolution& c, const WinogradPlan& plan, hlo::InstructionId pool = hlo::kNone);

}  // namespace hlocc::lowering
