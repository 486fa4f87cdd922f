// See origin.h.
#include "package/origin.h"

#include "package/names.h"

namespace hlocc::package {

int64_t model_weights_bytes(const hlo::Module& module) {
  int64_t bytes = 0;
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& instruction : computation.instructions)
      if (instruction.opcode == hlo::Opcode::kConstant) bytes += instruction.shape.byte_size();
  return bytes;
}

Origin origin_of(const hlo::Module& module, const std::string& sha256) {
  return {sha256, hlo_argument_names(module), model_weights_bytes(module), ""};
}

}  // namespace hlocc::package
