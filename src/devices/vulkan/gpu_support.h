// What a GPU leaves to the processor beside it.
#pragma once
#include "hlocc/device/compiler.h"
#include "target/gpu.h"

namespace hlocc::device {

// Of the entry's. Empty: it runs the instruction, with all that it calls; else why not.
WhyNot why_not_on_gpu(const hlo::Module& module, const hlo::Instruction& instruction,
                      const GpuDevice& gpu);

}  // namespace hlocc::device
