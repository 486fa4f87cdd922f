// What lowering chose for a kernel, as values: rows of algorithms.def and of
// micro_kernels.def.
#pragma once
#include <cstdint>
#include <string_view>

namespace hlocc::kernel {

enum class Algorithm : uint8_t {
#define HLOCC_CONVOLUTION(Name, text, outside) k##Name,
#define HLOCC_DOT(Name, text) k##Name,
#include "kernel/algorithms.def"
};
std::string_view algorithm_name(Algorithm algorithm);

enum class MicroKernel : uint8_t {
#define HLOCC_MICRO_KERNEL(Name, text) k##Name,
#include "kernel/micro_kernels.def"
};
std::string_view micro_kernel_name(MicroKernel kernel);

}  // namespace hlocc::kernel
