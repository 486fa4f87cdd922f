// canonicalize_contractions: dot and convolution in one order of dimensions each, so that lowering
// has one form to be fast at. What HLO lets a program say in the dimension numbers, transposes and
// reshapes say around them: those of constants fold, those of variables mostly meet their inverse
// or fuse into what made the operand.
#include <algorithm>

#include "transforms/contractions.h"

#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

InstructionId visit(Rewriter& r, const Instruction& instruction, const Target& target, bool alone) {
  if (instruction.opcode == Opcode::kDot) return canonical_dot(r, instruction, target);
  if (instruction.opcode != Opcode::kConvolution) return kNone;
  const InstructionId planes = alone ? channels_first_convolution(r, instruction, target) : kNone;
  return planes != kNone ? planes : canonical_convolution(r, instruction);
}

}  // namespace

bool is_constant_view(const Rewriter& r, InstructionId id) {
  for (;;) {
    switch (r[id].opcode) {
      case Opcode::kConstant: return true;
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kConvert:
      case Opcode::kBroadcast:
      case Opcode::kSlice: id = r[id].operands[0]; break;
      default: return false;
    }
  }
}

Status canonicalize_contractions(hlo::Module& module, const PassContext& context) {
  int64_t convolutions = 0;
  for (const Computation& computation : module.computations)
    convolutions +=
        std::count_if(computation.instructions.begin(), computation.instructions.end(),
                      [](const Instruction& i) { return i.opcode == Opcode::kConvolution; });
  HLOCC_TRY(rewrite(module, [&](Rewriter& r, const Instruction& i) {
    return visit(r, i, context.target, convolutions == 1);
  }));
  return {};
}

}  // namespace hlocc::transforms
