// See views_of_state.h.
#include "transforms/fusion/views_of_state.h"

#include "costs/fusion.h"
#include "transforms/updates/state_lines.h"

namespace hlocc::transforms {

using hlo::InstructionId;
using hlo::Opcode;

bool ViewsOfState::contain(InstructionId id) const {
  bool is_dynamic = false;
  for (bool is_view = true; is_view;) {
    switch (c_[id].opcode) {
      case Opcode::kDynamicSlice: is_dynamic = true; break;
      case Opcode::kTranspose:
      case Opcode::kSlice:
      case Opcode::kReshape: break;
      case Opcode::kConstant: return is_dynamic;
      default: is_view = false;
    }
    if (is_view) id = c_[id].operands[0];
  }
  if (!in_state_) {
    const auto own = static_cast<hlo::ComputationId>(&c_ - module_.computations.data());
    in_state_ = values_in_state(module_, own);
  }
  return in_state_->contains(id);
}

bool is_right_of_few_rows(const hlo::Instruction& dot, InstructionId id, const Target& target) {
  if (dot.opcode != Opcode::kDot || dot.operands[1] != id || dot.operands[0] == id) return false;
  const int rank = dot.shape.rank();
  return rank >= 2 &&
         costs::reads_state_in_place(target, dot.shape.dimensions[static_cast<size_t>(rank - 2)]);
}

}  // namespace hlocc::transforms
