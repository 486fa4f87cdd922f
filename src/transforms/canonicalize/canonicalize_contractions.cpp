// canonicalize_contractions: dot and convolution in one order of dimensions each, so that lowering
// has one form to be fast at. What HLO lets a program say in the dimension numbers, transposes and
// reshapes say around them: those of constants fold, those of variables mostly meet their inverse
// or fuse into what made the operand.
#include <algorithm>

#include "transforms/canonicalize/contractions.h"

#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

InstructionId canonicalize_op(Rewriter& r, const Instruction& instruction, const Target& target,
                              bool alone) {
  if (instruction.opcode == Opcode::kDot) return canonical_dot(r, instruction, target);
  if (instruction.opcode != Opcode::kConvolution) return kNone;
  const InstructionId kept = alone ? channels_first_convolution(r, instruction, target) : kNone;
  return kept != kNone ? kept : canonical_convolution(r, instruction);
}

// A convolution without company: nothing beside it that wants another order of dimensions, or
// vectors of other lanes than its own, which masks could not end.
bool has_one_plain_convolution(const hlo::Module& module) {
  int64_t convolutions = 0;
  for (const Computation& computation : module.computations)
    for (const Instruction& i : computation.instructions) {
      convolutions += i.opcode == Opcode::kConvolution;
      const bool is_known =
          i.opcode == Opcode::kTranspose && computation.operand(i, 0).opcode == Opcode::kConstant;
      if (i.opcode == Opcode::kTranspose && !is_known) return false;
      if (i.shape.rank() == 0) continue;
      if (hlo::is_complex(i.shape.element_type) || hlo::type_bits(i.shape.element_type) < 32)
        return false;
    }
  return convolutions == 1;
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
  const bool alone = has_one_plain_convolution(module);
  HLOCC_TRY(rewrite(module, [&](Rewriter& r, const Instruction& i) {
    return canonicalize_op(r, i, context.target, alone);
  }));
  return {};
}

}  // namespace hlocc::transforms
