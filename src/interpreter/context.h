// What an evaluation needs beside its operands: the module, the run's state, and what was planned
// once for each computation.
#pragma once
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "hlo/module.h"
#include "interpreter/interpreter.h"
#include "support/result.h"

namespace hlocc::interpreter {

using hlo::ComputationId;
using hlo::Dimensions;
using hlo::InstructionId;
using hlo::Literal;
using hlo::PrimitiveType;

// The operand values, owned by the evaluation: one that is in place (dynamic-update-slice, scatter)
// takes the bytes of an operand with no other holder.
using Operands = std::span<Literal>;

struct Context {
  Context(const hlo::Module& module, RunState& state) : module(module), state(state) {}

  const hlo::Module& module;
  RunState& state;
  // How many computations are being run inside one another.
  int depth = 0;
  // For each computation: the values that die at each instruction (see interpreter.cpp).
  std::unordered_map<ComputationId, std::vector<std::vector<InstructionId>>> deaths;
};

// Runs a computation on one value a parameter.
Result<Literal> run_computation(Context& context, ComputationId id, std::vector<Literal> arguments);

// The op table's dispatch: one instruction.
Result<Literal> evaluate(Context& context, const hlo::Instruction& instruction, Operands operands);

// Diagnostics that name the instruction.
Diagnostic instruction_error(DiagnosticKind kind, const hlo::Instruction& instruction,
                             std::string_view what);
Diagnostic unsupported(const hlo::Instruction& instruction, std::string_view what);

}  // namespace hlocc::interpreter
