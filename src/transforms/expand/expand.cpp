// expand: ops that others can say are said by others, so that lowering has fewer of them to know.
// What stays has a kernel of its own because no combination of other ops would be fast or exact:
// sort, fft, cholesky, triangular-solve, gather, scatter. The rows of opcodes.def call these ops
// `rewritten`.
#include "transforms/expand/expand_contraction_types.h"
#include "transforms/expand/expansions.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

struct Expansion {
  Opcode opcode;
  InstructionId (*expansion)(Rewriter&, const Instruction&);
};
constexpr Expansion expansions[] = {
    {Opcode::kBatchNormTraining, expand_batch_norm_training},
    {Opcode::kBatchNormInference, expand_batch_norm_inference},
    {Opcode::kBatchNormGrad, expand_batch_norm_grad},
    {Opcode::kTopK, expand_topk},
    {Opcode::kRngBitGenerator, expand_rng_bit_generator},
    {Opcode::kRng, expand_rng},
    {Opcode::kScan, expand_scan},
    {Opcode::kDot, expand_mixed_types},
    {Opcode::kConvolution, expand_mixed_types},
    {Opcode::kScaledDot, expand_scaled_dot},
    {Opcode::kRaggedDot, expand_ragged_dot},
    {Opcode::kCustomCall, expand_custom_call},
    {Opcode::kFft, expand_fft},
};

InstructionId expand_op(Rewriter& r, const Instruction& instruction) {
  for (const Expansion& row : expansions)
    if (row.opcode == instruction.opcode) return row.expansion(r, instruction);
  return kNone;
}

}  // namespace

Status expand(hlo::Module& module, const PassContext&) {
  HLOCC_TRY(rewrite(module, expand_op));
  return {};
}

}  // namespace hlocc::transforms
