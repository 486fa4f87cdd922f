// recognize_functions: the expansion of a function that HLO has no opcode for (erfc, ninety
// instructions in every gelu) becomes a map over one computation, which still is that expansion,
// with the function's name. Lowering may then compute the function in its own way, and fusion sees
// one op. What differs from the expansion in an op, its order or a bit of a constant is left alone.
#include <algorithm>
#include <map>

#include "transforms/build.h"
#include "transforms/expand/library.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

bool is_commutative(Opcode opcode) { return opcode == Opcode::kAdd || opcode == Opcode::kMultiply; }

// Walks the expansion and what may be one in step. Values that the expansion uses twice need not be
// one instruction there.
class Matcher {
 public:
  Matcher(const Rewriter& r, const Computation& expansion) : r_(r), expansion_(expansion) {}

  // The argument that the instruction, whose operands are in the new computation, applies the
  // function to.
  InstructionId argument_of(const Instruction& root) {
    return matches(expansion_.root_instruction(), root) ? argument_ : kNone;
  }

 private:
  bool matches(const Instruction& wanted, InstructionId id) {
    if (wanted.opcode == Opcode::kParameter) {
      if (argument_ == kNone) argument_ = id;
      return argument_ == id;
    }
    if (wanted.opcode == Opcode::kConstant)
      return is_splat_of(r_, id, wanted.get<hlo::ConstantAttributes>().value);
    return matches(wanted, r_[id]);
  }

  bool matches(const Instruction& wanted, const Instruction& got) {
    if (got.opcode != wanted.opcode || got.attributes != wanted.attributes) return false;
    const InstructionId argument = argument_;
    if (operands_match(wanted, got.operands)) return true;
    argument_ = argument;
    if (!is_commutative(wanted.opcode)) return false;
    return operands_match(wanted, {got.operands[1], got.operands[0]});
  }

  bool operands_match(const Instruction& wanted, const std::vector<InstructionId>& operands) {
    for (size_t i = 0; i < operands.size(); ++i)
      if (!matches(expansion_.operand(wanted, static_cast<int>(i)), operands[i])) return false;
    return true;
  }

  const Rewriter& r_;
  const Computation& expansion_;
  InstructionId argument_ = kNone;
};

Computation expansion_of(const LibraryFunction& function) {
  Module scratch;
  const ComputationId id = new_computation(
      scratch, function.name, {Shape::scalar(function.type)},
      [&](Rewriter& r, const std::vector<InstructionId>& x) { return function.body(r, x[0]); });
  return std::move(scratch.computations[id]);
}

}  // namespace

Status recognize_functions(hlo::Module& module, const PassContext&) {
  struct Known {
    const LibraryFunction& function;
    Computation expansion;
    ComputationId called = kNone;
  };
  std::vector<Known> known;
  for (const LibraryFunction& function : library())
    known.push_back({function, expansion_of(function)});
  const auto visit = [&](Rewriter& r, const Instruction& i) -> InstructionId {
    for (Known& k : known) {
      const InstructionId x = Matcher(r, k.expansion).argument_of(i);
      if (x == kNone) continue;
      if (k.called == kNone) k.called = add_computation(r.module(), k.expansion);
      return r.add(hlo::make(Opcode::kMap, i.shape, {x},
                             hlo::MapAttributes{counting(i.shape.rank()), k.function.name},
                             {k.called}));
    }
    return kNone;
  };
  HLOCC_TRY(rewrite(module, visit));
  return {};
}

}  // namespace hlocc::transforms
