// From hlocc's kernel programs to the device's code.
#pragma once
#include "hlocc/device/kernels.h"
#include "instructions.h"

namespace full {

// What the device can do, in the words of hlocc's targets: scalars alone, all floats in hardware.
hlocc::Target device_target(const hlocc::Options& options);

hlocc::Result<Function> lower_kernel(const hlocc::kernel::Kernel& kernel);
hlocc::Result<Code> lower_program(const hlocc::device::KernelProgram& program);

}  // namespace full
