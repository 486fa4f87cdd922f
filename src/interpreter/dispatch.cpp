// The op table's column "interpreter" as a table of functions.
#include <algorithm>

#include "interpreter/contraction_types.h"
#include "interpreter/dynamic.h"
#include "interpreter/elementwise.h"
#include "interpreter/families.h"
#include "support/budget.h"
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

// Windows whose results have no elements: their tables are as long as the sizes, which may be huge.
bool is_window_of_nothing(const hlo::Instruction& instruction) {
  const hlo::Family family = hlo::info(instruction.opcode).family;
  if (family != hlo::Family::kWindow && family != hlo::Family::kConvolution) return false;
  return std::ranges::all_of(hlo::leaf_shapes(instruction.shape), [](const Shape& leaf) {
    return leaf.element_count() == 0 && !leaf.has_dynamic_dimensions();
  });
}

Literal nothing(const Shape& shape) {
  if (shape.is_array()) return Literal::zeros(shape);
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple) elements.push_back(nothing(element));
  return Literal::make_tuple(std::move(elements));
}

// A unit an element, for what is read and what is made. Those who compute ahead of time ask before.
void spend_elements(const hlo::Instruction& instruction, Operands operands) {
  if (current_budget() == nullptr) return;
  int64_t elements = instruction.shape.is_array() ? instruction.shape.element_count() : 1;
  for (const Literal& operand : operands)
    if (operand.shape().is_array()) elements += operand.element_count();
  spend_work(elements);
}

}  // namespace

Result<Literal> evaluate(Context& context, const hlo::Instruction& instruction, Operands operands) {
  spend_elements(instruction, operands);
  const Evaluator evaluator = evaluators[static_cast<int>(instruction.opcode)];
  if (!evaluator) return unsupported(instruction, "the op");
  if (needs_compact_operands(instruction, operands))
    return evaluate_compact(context, instruction, operands);
  if (has_mixed_types(instruction, operands)) return evaluate_mixed(context, instruction, operands);
  if (is_window_of_nothing(instruction)) return nothing(instruction.shape);
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
