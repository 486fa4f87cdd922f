// Checks of an instruction against its row in the op table.
#include "ops/check/form.h"

#include "support/text.h"

namespace hlocc::ops {
namespace {

using namespace hlo;
using HoldsAttributes = bool (*)(const Attributes&);
constexpr HoldsAttributes attribute_checks[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, called, interpreter, \
                     lowering)                                                            \
  [](const Attributes& held) { return std::holds_alternative<attributes>(held); },
#include "hlo/opcodes.def"
};

// "2", "at least 1", "1 to 3".
std::string expected_count(int min, int max) {
  if (max < 0) return cat("at least ", min);
  return min == max ? cat(min) : cat(min, " to ", max);
}

bool exists(int32_t id, size_t count) { return id >= 0 && static_cast<size_t>(id) < count; }

}  // namespace

bool holds_own_attributes(const Instruction& instruction) {
  return attribute_checks[static_cast<int>(instruction.opcode)](instruction.attributes);
}

Status check_form(const Module& module, const Computation& computation,
                  const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  const int operands = static_cast<int>(instruction.operands.size());
  if (operands < row.min_operands || (row.max_operands >= 0 && operands > row.max_operands))
    return error(DiagnosticKind::kArity,
                 cat("takes ", expected_count(row.min_operands, row.max_operands),
                     " operands, not ", operands));
  const int called = static_cast<int>(instruction.called.size());
  if (row.called >= 0 && called != row.called)
    return error(DiagnosticKind::kArity, cat("calls ", row.called, " computations, not ", called));
  for (InstructionId operand : instruction.operands)
    if (!exists(operand, computation.instructions.size()))
      return error(DiagnosticKind::kStructure,
                   cat("operand id ", operand, " names no instruction of the computation"));
  for (InstructionId before : instruction.control_predecessors)
    if (!exists(before, computation.instructions.size()))
      return error(DiagnosticKind::kStructure,
                   cat("control predecessor ", before, " names no instruction"));
  for (ComputationId id : instruction.called) {
    if (!exists(id, module.computations.size()))
      return error(DiagnosticKind::kStructure, cat("called computation ", id, " does not exist"));
    const Computation& callee = module.computations[id];
    if (!exists(callee.root, callee.instructions.size()))
      return error(DiagnosticKind::kStructure,
                   cat("called computation %", callee.name, " has no root"));
    for (InstructionId parameter : callee.parameters)
      if (!exists(parameter, callee.instructions.size()))
        return error(DiagnosticKind::kStructure,
                     cat("called computation %", callee.name, " lacks a parameter number"));
  }
  if (!holds_own_attributes(instruction))
    return error(DiagnosticKind::kAttribute, "holds the attributes of another op");
  return {};
}

}  // namespace hlocc::ops
