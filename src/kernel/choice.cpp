// Look-ups in the tables of what may be chosen.
#include "kernel/choice.h"

namespace hlocc::kernel {
namespace {
constexpr std::string_view kAlgorithmNames[] = {
#define HLOCC_CONVOLUTION(Name, text, outside) text,
#define HLOCC_DOT(Name, text) text,
#include "kernel/algorithms.def"
};
constexpr std::string_view kMicroKernelNames[] = {
#define HLOCC_MICRO_KERNEL(Name, text) text,
#include "kernel/micro_kernels.def"
};
}  // namespace

std::string_view algorithm_name(Algorithm algorithm) {
  return kAlgorithmNames[static_cast<int>(algorithm)];
}

std::string_view micro_kernel_name(MicroKernel kernel) {
  return kMicroKernelNames[static_cast<int>(kernel)];
}

}  // namespace hlocc::kernel
