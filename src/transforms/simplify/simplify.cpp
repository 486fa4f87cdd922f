// simplify: algebra that is exact under strict IEEE rules, and views of views. It runs between the
// other passes and cleans up behind them, so that they may build what is simplest to write:
// identities, double transposes, slices of broadcasts. Arrays without elements become constants,
// which spares lowering most of the odd cases of empty loops.
#include <algorithm>
#include <array>

#include "transforms/build.h"
#include "transforms/pass.h"
#include "transforms/simplify/simplify_rules.h"

namespace hlocc::transforms {
namespace {

// Rules of each opcode, in the order of their tables.
class RuleIndex {
 public:
  RuleIndex() : by_opcode_(hlo::opcode_count()) {
    for (std::span<const SimplifyRule> rules :
         {control_rules(), movement_rules(), slicing_rules(), arithmetic_rules()})
      for (const SimplifyRule& rule : rules)
        by_opcode_[static_cast<size_t>(rule.opcode)].push_back(rule.rule);
  }
  const auto& of(Opcode opcode) const { return by_opcode_[static_cast<size_t>(opcode)]; }

 private:
  std::vector<std::vector<InstructionId (*)(Rewriter&, const Instruction&)>> by_opcode_;
};

bool is_empty_array(const Instruction& instruction) {
  return instruction.shape.element_count() == 0 && instruction.opcode != Opcode::kParameter &&
         instruction.opcode != Opcode::kCustomCall;
}

InstructionId simplify_op(Rewriter& r, const Instruction& instruction) {
  static const RuleIndex index;
  if (is_empty_array(instruction))
    return constant(r, Literal::zeros(hlo::with_default_layout(instruction.shape)));
  for (const auto& rule : index.of(instruction.opcode))
    if (const InstructionId simpler = rule(r, instruction); simpler != kNone) return simpler;
  return kNone;
}

}  // namespace

Status simplify(hlo::Module& module, const PassContext&) {
  // Each round sees the operands of an instruction as the same round has left them; what a rule
  // builds is looked at in the next one. Few rounds settle everything; the bound is for rules that
  // would undo one another.
  constexpr int max_rounds = 8;
  for (int round = 0; round < max_rounds; ++round) {
    HLOCC_TRY_ASSIGN(const bool changed, rewrite(module, simplify_op));
    if (!changed) break;
  }
  return {};
}

}  // namespace hlocc::transforms
