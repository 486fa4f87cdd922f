// The weights as a file of their own: run reads them through one symbol, at offsets.
#include "backends/c/c_text.h"
#include "backends/c/weights_writer.h"
#include "backends/common/pool.h"
#include "support/text.h"
#include "target/artifacts.h"

namespace hlocc::backends {
namespace {

std::string assembler_text(const kernel::Signature& signature, const std::string& symbol,
                           const Target& target) {
  const std::string section = target.options.weights_section.empty()
                                  ? cat(".rodata.", symbol)
                                  : target.options.weights_section;
  return cat("/* The weights of ", in_comment(signature.class_name),
             ": for GNU's assembler, in their folder or with -Wa,-I and that folder. */\n"
             "  .section ",
             section, ",\"a\"\n  .balign ", kWeightsAlignment, "\n  .global ", symbol, "\n", symbol,
             ":\n  .incbin \"", signature.stem, "_weights.bin\"\n");
}

}  // namespace

Result<ExternalWeights> external_weights(const kernel::Program& program, const planning::Plan& plan,
                                         const Target& target) {
  if (target.constants_apart)
    return error(DiagnosticKind::kUnsupported,
                 cat("--weights external: constants of ", target.name,
                     " lie in flash as arrays of their own, which no file replaces"));
  const kernel::Signature& signature = program.signature;
  const std::string symbol = signature.prefix + "weights";
  ExternalWeights out;
  append_pool(plan, target, out.bytes);
  out.assembler = assembler_text(signature, symbol, target);
  if (plan.constant_bytes == 0) return out;
  out.weights.text =
      cat("/* The bytes of ", signature.stem, "_weights.bin, ", plan.constant_bytes,
          " of them, aligned to ", kWeightsAlignment, ": ", signature.stem,
          "_weights.S defines them, or a file of yours,\n * or the linker script. */\nextern const "
          "unsigned char ",
          symbol, "[];\n");
  for (const auto& [offset, value] : constants_by_offset(plan)) {
    const std::string place = cat("(", symbol, " + ", offset, ")");
    out.weights.arrays[offset] = {place, value->element, static_cast<int64_t>(value->data->size())};
  }
  return out;
}

}  // namespace hlocc::backends
