// Winograd's schedule for 3x3 convolutions of stride 1 in f32 whose filter is a constant.
#pragma once
#include "costs/winograd.h"
#include "lowering/convolution/convolution.h"

namespace hlocc::lowering {

using costs::WinogradPlan;
using costs::WinogradSize;

// Schedules the convolution, and the pool behind it if there is one (of windows that lie side by
// side and divide every tile), if its form allows and plan_winograd finds that it pays; false:
// nothing was emitted.
bool schedule_winograd(Emitter& emitter, hlo::InstructionId id, hlo::InstructionId pool);
void emit(Convolution& c, const costs::WinogradPlan& plan);

// Emits a convolution of that form, and what is behind it, as the plan says.
void emit_winograd(Emitter& emitter, hlo::InstructionId id, const WinogradPlan& plan,
                   hlo::InstructionId pool = hlo::kNone);

}  // namespace hlocc::lowering
