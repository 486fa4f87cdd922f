// Look-ups in the tables of what may be chosen, and the text of what was.
#include "kernel/choice.h"

#include "support/text.h"

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

std::string RegisterTile::to_string() const {
  if (rows == 0) return "";
  return along > 1 ? cat(rows, "x", vectors, ", ", along, " along k")
                   : cat(rows, "x", vectors, "x", lanes);
}

std::string Choice::to_string() const {
  if (!schedule && !algorithm) return "";
  std::string out(algorithm                           ? algorithm_name(*algorithm)
                  : schedule != hlo::Schedule::kPlain ? hlo::schedule_name(*schedule)
                  : op                                ? hlo::opcode_name(*op)
                                                      : "elements");
  if (outputs > 0) out += cat(" ", outputs, "x", outputs);
  if (micro_kernel) out += cat(", ", micro_kernel_name(*micro_kernel));
  return out;
}

}  // namespace hlocc::kernel
