// Lets layers share kernels: those that differ in nothing but integers (loop bounds, strides,
// offsets, scalar constants) become one kernel, and their launches hand it the integers. Where
// flash is constrained that is most of a model's code; elsewhere numbers that the compiler knows
// are worth more than bytes.
#pragma once
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::kernel {

bool shares_kernels(const Target& target);
// Of a legal program; legal afterwards.
void share_kernels(Program& program, const Target& target);

}  // namespace hlocc::kernel
