// What lowering chose for a kernel, as values: the algorithms are rows of algorithms.def.
#pragma once
#include <cstdint>
#include <string_view>

namespace hlocc::kernel {

enum class Algorithm : uint8_t {
#define HLOCC_CONVOLUTION(Name, text, outside) k##Name,
#include "kernel/algorithms.def"
};
std::string_view algorithm_name(Algorithm algorithm);

}  // namespace hlocc::kernel
