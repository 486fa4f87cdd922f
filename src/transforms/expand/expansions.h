// What expand replaces ops with: each gives the instructions that stand for one op.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

InstructionId expand_batch_norm_training(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_batch_norm_inference(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_batch_norm_grad(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_topk(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_rng_bit_generator(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_rng(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_scan(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_ragged_dot(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_custom_call(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_fft(Rewriter& rewriter, const Instruction& instruction);

}  // namespace hlocc::transforms
