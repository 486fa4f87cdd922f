// Running of a module: arguments are checked, then computations are run instruction by instruction.
// Values are dropped after their last use, so that ops that work in place find buffers without
// another holder.
#include "interpreter/interpreter.h"

#include "interpreter/context.h"
#include "interpreter/out_of_work.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::interpreter {
namespace {

// Computations nested in one another by calls; the importer refuses recursion, this bounds our own
// stack.
constexpr int max_depth = 500;
// Of an instruction beside its elements.
constexpr int64_t kInstructionWork = 100;

// deaths[i]: the values that are not needed once instruction i is done.
const std::vector<std::vector<InstructionId>>& deaths_of(Context& context, ComputationId id) {
  const auto [entry, is_new] = context.deaths.try_emplace(id);
  if (!is_new) return entry->second;
  const hlo::Computation& computation = context.module.computations[id];
  const size_t count = computation.instructions.size();
  std::vector<size_t> last(count);
  for (size_t i = 0; i < count; ++i) {
    last[i] = i;
    for (InstructionId operand : computation.instructions[i].operands) last[operand] = i;
  }
  last[computation.root] = count;
  entry->second.resize(count);
  for (size_t value = 0; value < count; ++value)
    if (last[value] < count)
      entry->second[last[value]].push_back(static_cast<InstructionId>(value));
  return entry->second;
}

Status check_argument(const hlo::Module& module, size_t number, const hlo::Shape& expected,
                      const Literal& argument) {
  if (hlo::same_dimensions_and_type(expected, argument.shape())) return {};
  return error(
      DiagnosticKind::kArgument,
      cat("argument ", number, " of ", module.name, " is ", hlo::to_string(argument.shape(), false),
          ", the parameter is ", hlo::to_string(expected, false)));
}

// An argument in the parameter's layouts, which say where its elements lie to those who ask for
// memory (bitcast).
void adopt_layouts(Literal& value, const hlo::Shape& shape) {
  if (value.shape() == shape) return;
  if (shape.is_array()) value.set_shape(shape);
  for (size_t i = 0; i < value.elements().size(); ++i)
    adopt_layouts(value.elements()[i], shape.tuple[i]);
}

}  // namespace

Result<Literal> run_computation(Context& context, ComputationId id,
                                std::vector<Literal> arguments) {
  const hlo::Computation& computation = context.module.computations[id];
  if (context.depth >= max_depth)
    return error(DiagnosticKind::kLimit,
                 cat("calls nest deeper than ", max_depth, " at computation ", computation.name));
  ++context.depth;
  const auto& deaths = deaths_of(context, id);
  std::vector<Literal> values(computation.instructions.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const hlo::Instruction& instruction = computation.instructions[i];
    if (!may_search(kInstructionWork)) return out_of_work(computation);
    if (instruction.opcode == hlo::Opcode::kParameter) {
      values[i] = std::move(arguments[instruction.get<hlo::ParameterAttributes>().number]);
      adopt_layouts(values[i], instruction.shape);
    } else {
      std::vector<Literal> operands;
      operands.reserve(instruction.operands.size());
      for (InstructionId operand : instruction.operands) operands.push_back(values[operand]);
      // The operands keep dying values alive; letting go of them here leaves the operand as the
      // only holder.
      for (InstructionId dead : deaths[i])
        if (dead != static_cast<InstructionId>(i)) values[dead] = Literal();
      HLOCC_TRY_ASSIGN(values[i], evaluate(context, instruction, operands));
    }
  }
  --context.depth;
  return std::move(values[computation.root]);
}

Diagnostic out_of_work(const hlo::Computation& computation) {
  return error(DiagnosticKind::kLimit,
               cat("computation %", computation.name, " takes too much work ahead of time"));
}

Result<Literal> run(const hlo::Module& module, std::span<const Literal> arguments,
                    RunState* state) {
  const hlo::Computation& entry = module.entry_computation();
  if (arguments.size() != entry.parameters.size())
    return error(DiagnosticKind::kArgument, cat(module.name, " takes ", entry.parameters.size(),
                                                " arguments, got ", arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i)
    HLOCC_TRY(check_argument(module, i, entry[entry.parameters[i]].shape, arguments[i]));
  // A loop that a model asks for is not limited.
  const BudgetScope unlimited(nullptr);
  RunState fresh;
  Context context(module, state ? *state : fresh);
  Result<Literal> result =
      run_computation(context, module.entry, {arguments.begin(), arguments.end()});
  if (!result && result.error().location.file.empty()) result.error().location.file = module.file;
  return result;
}

Result<Literal> evaluate_instruction(const hlo::Module& module, const hlo::Instruction& instruction,
                                     std::span<const Literal> operands, RunState& state) {
  Context context(module, state);
  std::vector<Literal> owned(operands.begin(), operands.end());
  return evaluate(context, instruction, owned);
}

}  // namespace hlocc::interpreter
