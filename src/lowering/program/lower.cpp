// The walk from HLO to steps: computations instruction by instruction. Structure (tuples, reshapes,
// copies) becomes a list of values here; values, groups, control flow and calls have files of their
// own.
#include "lowering/program/lower.h"

#include "hlo/leaves.h"
#include "lowering/program/program_builder.h"
#include "ops/op_support.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::ComputationId;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

// A kernel and its step, about.
constexpr int64_t kLowerWork = 2'000, kLowerBytes = 4096;

bool is_view(Opcode opcode) {
  return opcode == Opcode::kReshape || opcode == Opcode::kBitcast || opcode == Opcode::kCopy ||
         opcode == Opcode::kOptBarrier || opcode == Opcode::kDomain ||
         opcode == Opcode::kAddDependency;
}

}  // namespace

ValueIds ProgramBuilder::operand_leaves(const Scope& scope, const Instruction& instruction) const {
  ValueIds leaves;
  for (InstructionId operand : instruction.operands)
    leaves.insert(leaves.end(), scope.values[operand].begin(), scope.values[operand].end());
  return leaves;
}

Status ProgramBuilder::lower_instruction(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const auto what = [&] { return cat("lowering %", i.name, " in %", scope.computation.name); };
  HLOCC_TRY(charge_work(kLowerWork, what));
  HLOCC_TRY(charge_memory(kLowerBytes, what));
  ValueIds& values = scope.values[id];
  if (is_view(i.opcode)) {
    values = scope.values[i.operands[0]];
    return {};
  }
  switch (i.opcode) {
    case Opcode::kParameter: return {};  // bound by lower_computation
    case Opcode::kConstant:
      for (const hlo::Shape& leaf : hlo::leaf_shapes(i.shape)) {
        HLOCC_CHECK(i.shape.is_array() && leaf == i.shape, "a constant that is a tuple");
        values.push_back(constant_value(i));
      }
      return {};
    case Opcode::kTuple: values = operand_leaves(scope, i); return {};
    case Opcode::kGetTupleElement: {
      const hlo::Shape& tuple = scope.computation.operand(i, 0).shape;
      const int64_t index = i.get<hlo::TupleIndexAttributes>().index;
      const size_t first = hlo::leaves_before(tuple, index),
                   count = hlo::leaf_count(tuple.tuple[index]);
      const ValueIds& all = scope.values[i.operands[0]];
      values.assign(all.begin() + first, all.begin() + first + count);
      return {};
    }
    case Opcode::kAfterAll: return {};
    case Opcode::kWhile: return lower_while(scope, id);
    case Opcode::kConditional: return lower_conditional(scope, id);
    case Opcode::kCustomCall: return lower_custom_call(scope, id);
    case Opcode::kRngGetAndUpdateState: return lower_random_state(scope, id);
    case Opcode::kFusion: {
      const Group group = fusion_group(module_, scope.computation, i);
      if (lower_join(scope, id, group)) return {};
      return lower_group(scope, id, group);
    }
    default: break;
  }
  const hlo::Service service = hlo::info(i.opcode).lowering;
  if (service != hlo::Service::kIndexOp && service != hlo::Service::kLoopOp)
    return error(DiagnosticKind::kUnsupported,
                 cat("%", i.name, ": ", hlo::opcode_name(i.opcode), " on ", to_string(i.shape),
                     " can't be compiled yet"))
        .note("the interpreter may run it: --backend interpreter");
  const Group group = single_group(module_, scope.computation, id);
  return lower_group(scope, id, group);
}

Result<ValueIds> ProgramBuilder::lower_computation(ComputationId id,
                                                   const std::vector<ValueIds>& parameters,
                                                   kernel::Steps& steps) {
  const hlo::Computation& computation = module_.computations[id];
  Scope scope{computation, std::vector<ValueIds>(computation.instructions.size()), steps};
  for (size_t n = 0; n < computation.parameters.size(); ++n)
    scope.values[computation.parameters[n]] = parameters[n];
  for (InstructionId i = 0; i < static_cast<InstructionId>(computation.instructions.size()); ++i)
    HLOCC_TRY(lower_instruction(scope, i));
  return scope.values[computation.root];
}

Result<kernel::Program> lower(const hlo::Module& module, const kernel::Signature& signature,
                              const Target& target) {
  ProgramBuilder builder(module, target);
  builder.program.signature = signature;
  const hlo::Computation& entry = module.entry_computation();
  std::vector<ValueIds> parameters;
  int leaf = 0;
  for (InstructionId parameter : entry.parameters) {
    ValueIds& values = parameters.emplace_back();
    for (size_t n = hlo::leaf_count(entry[parameter].shape); n > 0; --n)
      values.push_back(builder.add_argument(leaf++));
  }
  HLOCC_TRY_ASSIGN(const ValueIds results,
                   builder.lower_computation(module.entry, parameters, builder.program.steps));
  for (size_t n = 0; n < results.size(); ++n)
    builder.program.results.push_back(builder.add_result(static_cast<int>(n), results[n]));
  builder.finish_constants();
  return std::move(builder.program);
}

}  // namespace hlocc::lowering
