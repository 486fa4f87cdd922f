// Wrapping and unwrapping of asynchronous ops.
#include "import/text/async.h"

#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Instruction;
using hlo::Opcode;

// The shape of a start is ((operands), result, contexts...).
Status wrap(TextModule& text, const hlo::Computation& scope, Instruction& instruction) {
  if (!instruction.shape.is_tuple() || instruction.shape.tuple.size() < 2)
    return text.cursor.fail(
        DiagnosticKind::kShape,
        cat("%", instruction.name, " must have the shape ((operands), result, ...), not ",
            to_string(instruction.shape)));
  hlo::Computation wrapped;
  wrapped.name = give_name(text, "async_wrapped");
  Instruction start = hlo::make(Opcode::kAsyncStart, instruction.shape, instruction.operands,
                                hlo::AsyncAttributes{});
  start.name = instruction.name;
  start.line = instruction.line;
  start.metadata = instruction.metadata;
  start.control_predecessors = std::move(instruction.control_predecessors);
  for (size_t i = 0; i < start.operands.size(); ++i) {
    Instruction parameter = hlo::make_parameter(static_cast<int64_t>(i),
                                                scope[start.operands[i]].shape, cat("param_", i));
    parameter.line = instruction.line;
    wrapped.parameters.push_back(static_cast<hlo::InstructionId>(i));
    wrapped.instructions.push_back(std::move(parameter));
    instruction.operands[i] = static_cast<hlo::InstructionId>(i);
  }
  instruction.shape = start.shape.tuple[1];
  instruction.control_predecessors.clear();
  wrapped.root = static_cast<hlo::InstructionId>(wrapped.instructions.size());
  wrapped.instructions.push_back(std::move(instruction));
  HLOCC_TRY_ASSIGN(const hlo::ComputationId called, enter(text, std::move(wrapped)));
  start.called = {called};
  instruction = std::move(start);
  return {};
}

}  // namespace

std::optional<AsyncOpcode> find_opcode(std::string_view word) {
  if (const auto opcode = hlo::opcode_from_name(word)) return AsyncOpcode{*opcode};
  struct Suffix {
    std::string_view text;
    AsyncPhase phase;
    Opcode opcode;
  };
  static constexpr Suffix suffixes[] = {{"-start", AsyncPhase::kStart, Opcode::kAsyncStart},
                                        {"-update", AsyncPhase::kUpdate, Opcode::kAsyncUpdate},
                                        {"-done", AsyncPhase::kDone, Opcode::kAsyncDone}};
  for (const Suffix& suffix : suffixes) {
    if (!word.ends_with(suffix.text)) continue;
    const auto wrapped = hlo::opcode_from_name(word.substr(0, word.size() - suffix.text.size()));
    if (wrapped)
      return AsyncOpcode{suffix.phase == AsyncPhase::kStart ? *wrapped : suffix.opcode,
                         suffix.phase};
  }
  return std::nullopt;
}

Status finish_async(TextModule& text, const hlo::Computation& scope, AsyncPhase phase,
                    Instruction& instruction) {
  return phase == AsyncPhase::kStart ? wrap(text, scope, instruction) : Status();
}

}  // namespace hlocc::import
