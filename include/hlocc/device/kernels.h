// Kernel programs for compilers of devices: what hlocc's own passes, fusion, lowering and planning
// make of a module, for those who then write code of their own from loops and loads.
#ifndef HLOCC_DEVICE_KERNELS_H_
#define HLOCC_DEVICE_KERNELS_H_

#include "hlo/module.h"
#include "kernel/program.h"
#include "planning/plan.h"
#include "target/target.h"

namespace hlocc::device {

// What to walk: the plan's steps launch the program's kernels on values at the plan's places.
// kernel/kernel.h and planning/plan.h say what each is and what may be relied on.
struct KernelProgram {
  kernel::Program program;
  planning::Plan plan;
};

// `target` says what the device can do; kernels are legalised for it: only the ops of
// kernel/legalize/table.h are left. With vector_bits = 0 every value is a scalar. The entry's
// leaves are the signature's, in order. kUnsupported, with the instruction's name, for what cannot
// be lowered.
Result<KernelProgram> LowerToKernels(const hlo::Module& module, const Target& target);

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_KERNELS_H_
