// The weights as a file of their own: run reads them through one symbol, at offsets.
#include "backends/common/external_weights.h"

#include "backends/c/weights_writer.h"
#include "backends/common/pool.h"
#include "support/text.h"
#include "target/artifacts.h"

namespace hlocc::backends {

Result<Weights> external_weights(const kernel::Program& program, const planning::Plan& plan,
                                 const Target& target) {
  if (target.constants_apart)
    return error(DiagnosticKind::kUnsupported,
                 cat("--weights external: constants of ", target.name,
                     " lie in flash as arrays of their own, which no file replaces"));
  const kernel::Signature& signature = program.signature;
  const std::string symbol = weights_symbol(signature);
  Weights out;
  if (plan.constant_bytes == 0) return out;
  out.text =
      cat("/* The bytes of ", signature.stem, "_weights.bin, ", plan.constant_bytes,
          " of them, aligned to ", kWeightsAlignment, ": ", signature.stem,
          "_weights.S defines them, or a file of yours,\n * or the linker script. */\nextern const "
          "unsigned char ",
          symbol, "[];\n");
  for (const auto& [offset, value] : constants_by_offset(plan)) {
    const std::string place = cat("(", symbol, " + ", offset, ")");
    out.arrays[offset] = {place, value->element, static_cast<int64_t>(value->data->size())};
  }
  return out;
}

}  // namespace hlocc::backends
