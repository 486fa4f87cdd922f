// The assembler file goes through the preprocessor, which knows the object format that is meant.
#include "backends/common/external_weights.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/common/pool.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// $S: the symbol, $F: the stem, $A: the alignment, $N: the name of ELF's section, $B: the bytes.
constexpr std::string_view kAssembler =
    R"(/* The weights of this model, for GNU's assembler or Clang's: in their folder, or with
 * -Wa,-I and that folder. Instead an array of yours may be called $S,
 * or the linker bind it: -Wl,--defsym=$S=ADDRESS. */
#define HL_JOIN_(a, b) a##b
#define HL_JOIN(a, b) HL_JOIN_(a, b)
#define HL_WEIGHTS HL_JOIN(__USER_LABEL_PREFIX__, $S)
#if defined(__APPLE__)
  .section __TEXT,__const
#elif defined(_WIN32)
  .section .rdata$$S,"dr"
#elif defined(__wasm__)
  .section $N,"",@
  .type HL_WEIGHTS,@object
  .size HL_WEIGHTS, $B
#else
  .section $N,"a"
#endif
  .balign $A
  .globl HL_WEIGHTS
HL_WEIGHTS:
  .incbin "$F_weights.bin"
#if defined(__ELF__) && defined(__linux__)
  .section .note.GNU-stack,"",%progbits
#endif
)";

std::string fill(std::string_view text, const std::vector<std::pair<char, std::string>>& names) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& name) {
      return text[i] == '$' && i + 1 < text.size() && text[i + 1] == name.first;
    });
    if (known == names.end()) {
      out += text[i];
    } else {
      out += known->second;
      ++i;
    }
  }
  return out;
}

}  // namespace

std::string weights_symbol(const kernel::Signature& signature) {
  return signature.prefix + "weights";
}

void add_external_weights(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, Artifacts& artifacts) {
  const std::string symbol = weights_symbol(program.signature);
  const std::string& section = target.options.weights_section;
  Pieces bytes;
  append_pool(plan, target, bytes);
  artifacts.files[ArtifactKind::kWeights] = bytes;
  artifacts.files[ArtifactKind::kWeightsSource] =
      bytes_of(fill(kAssembler, {{'S', symbol},
                                 {'F', program.signature.stem},
                                 {'A', cat(kWeightsAlignment)},
                                 {'N', section.empty() ? ".rodata." + symbol : section},
                                 {'B', cat(plan.constant_bytes)}}));
}

}  // namespace hlocc::backends
