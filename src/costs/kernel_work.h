// What one launch of a kernel does, counted from its loops: products, bytes moved and the cycles
// that they may take. Trip counts are exact where they are known; a loop whose bounds hang on
// another's counter counts as often as with the middle value of that counter, one that runs until a
// condition fails counts once, and of two branches the costlier one. Cycles are estimates: they
// order kernels and show what is costly, and they promise nothing.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::costs {

struct KernelWork {
  double products = 0;       // multiply-accumulates and multiplications, a lane each
  double bytes_read = 0;     // by loads, however often
  double bytes_written = 0;  // by stores
  double cycles = 0;
};

// `integers`: those that the launch gives to the kernel's parameters.
KernelWork kernel_work(const kernel::Kernel& kernel, std::span<const int64_t> integers,
                       const Target& target);

// Of `ranges` ranges of a kernel whose first parameter is the number of a range, together; cycles
// are those of the longest one. `integers`: of the parameters behind it.
KernelWork ranges_work(const kernel::Kernel& kernel, std::span<const int64_t> integers, int ranges,
                       const Target& target);

// Of a launch: all its ranges together; cycles are those of the longest one, and of starting it.
KernelWork launch_work(const kernel::Kernel& kernel, const kernel::Launch& launch,
                       const Target& target);

// By buffer of the kernel: how many words loads and stores of a launch move, all ranges together.
std::vector<double> buffer_accesses(const kernel::Kernel& kernel, const kernel::Launch& launch,
                                    const Target& target);

}  // namespace hlocc::costs
