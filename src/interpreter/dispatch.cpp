// The op table's column "interpreter" as a table of functions.
#include "interpreter/contraction_types.h"
#include "interpreter/dynamic.h"
#include "interpreter/elementwise.h"
#include "interpreter/families.h"
#include "support/text.h"

namespace hlocc::interpreter {
namespace {

using Evaluator = Result<Literal> (*)(Context&, const hlo::Instruction&, Operands);

template <Opcode opcode>
Result<Literal> call_overload(Context& context, const hlo::Instruction& instruction,
                              Operands operands) {
  return evaluate(Op<opcode>{}, context, instruction, operands);
}

#define HLOCC_EVALUATOR_kInterpreted(opcode) &call_overload<Opcode::opcode>,
#define HLOCC_EVALUATOR_kTodo(opcode) nullptr,
#define HLOCC_EVALUATOR_kRejected(opcode) nullptr,
constexpr Evaluator evaluators[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, called, interpreter, \
                     lowering)                                                            \
  HLOCC_EVALUATOR_##interpreter(enumerator)
#include "hlo/opcodes.def"
};

}  // namespace

Result<Literal> evaluate(Context& context, const hlo::Instruction& instruction, Operands operands) {
  const Evaluator evaluator = evaluators[static_cast<int>(instruction.opcode)];
  if (!evaluator) return unsupported(instruction, "the op");
  if (needs_compact_operands(instruction, operands))
    return evaluate_compact(context, instruction, operands);
  if (has_mixed_types(instruction, operands)) return evaluate_mixed(context, instruction, operands);
  return evaluator(context, instruction, operands);
}

Diagnostic instruction_error(DiagnosticKind kind, const hlo::Instruction& instruction,
                             std::string_view what) {
  Diagnostic diagnostic = error(
      kind, cat("%", instruction.name, " (", hlo::opcode_name(instruction.opcode), "): ", what));
  diagnostic.location.line = instruction.line;
  return diagnostic;
}

Diagnostic unsupported(const hlo::Instruction& instruction, std::string_view what) {
  return instruction_error(DiagnosticKind::kUnsupported, instruction,
                           cat(what, " is not served by the interpreter"))
      .note(cat("the result would be ", hlo::to_string(instruction.shape, false)));
}

}  // namespace hlocc::interpreter
