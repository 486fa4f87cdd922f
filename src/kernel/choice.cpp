// Look-ups in the tables of what may be chosen.
#include "kernel/choice.h"

namespace hlocc::kernel {
namespace {
constexpr std::string_view kAlgorithmNames[] = {
#define HLOCC_CONVOLUTION(Name, text, outside) text,
#include "kernel/algorithms.def"
};
}  // namespace

std::string_view algorithm_name(Algorithm algorithm) {
  return kAlgorithmNames[static_cast<int>(algorithm)];
}

}  // namespace hlocc::kernel
