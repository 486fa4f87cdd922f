// What isn't computed from a group: calls of the user's functions, LAPACK's routines, whose kernels
// have a room of their own, and the random numbers' counter.
#include <span>

#include "kernel/lapack/lapack.h"
#include "lowering/program/border.h"
#include "lowering/program/layer.h"
#include "lowering/program/program_builder.h"
#include "ops/custom_calls.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::kNone;
using kernel::ProgramValueId;
using kernel::ValueRole;

Status ProgramBuilder::lower_custom_call(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const auto& call = i.get<hlo::CustomCallAttributes>();
  if (ops::is_host_callback(call.target)) return ops::refuse_host_callback(i);
  if (kernel::is_lapack_call(call.target)) return lower_lapack_call(scope, id);
  if (!is_c_identifier(call.target))
    return error(DiagnosticKind::kUnsupported, cat("custom-call %", i.name, " calls \"",
                                                   call.target, "\", which is no C function"))
        .note("rewrite the program without it, or give the call a target that is a C identifier");
  kernel::UserCall step;
  step.symbol = call.target;
  step.operands = operand_leaves(scope, i);
  scope.values[id] = step.results = new_results(i);
  scope.steps.push_back({std::move(step), origin_of(module_, i, text_file())});
  return {};
}

Status ProgramBuilder::lower_lapack_call(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const auto& call = i.get<hlo::CustomCallAttributes>();
  std::vector<hlo::Shape> operands;
  for (const InstructionId operand : i.operands)
    operands.push_back(scope.computation[operand].shape);
  const std::vector<hlo::Shape> results = hlo::leaf_shapes(i.shape);
  Result<kernel::Kernel> kernel =
      kernel::lapack_kernel(call.target, call.backend_config, operands, results);
  if (!kernel) return std::move(kernel).error().note(cat("in custom-call %", i.name));
  kernel::Launch launch;
  launch.operands = operand_leaves(scope, i);
  const ValueIds& made = scope.values[id] = new_results(i);
  launch.operands.insert(launch.operands.end(), made.begin(), made.end());
  kernel->origin = {i.name};
  launch.kernel = intern(std::move(*kernel));
  scope.steps.push_back({std::move(launch), origin_of(module_, i, text_file())});
  return {};
}

// All of them read and write the one counter, which keeps them in order; nothing else may change
// it.
Status ProgramBuilder::lower_random_state(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  if (random_state_ == kNone) {
    random_state_ = add_value(i.shape, ValueRole::kState, "random state");
    const auto bytes = std::as_bytes(std::span(kFirstRandomState));
    program.values[random_state_].data =
        std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  }
  const ProgramValueId before = add_value(i.shape, ValueRole::kTemporary, i.name);
  const auto delta = static_cast<uint64_t>(i.get<hlo::RngStateAttributes>().delta);
  scope.steps.push_back(
      {kernel::Launch{intern(random_state_kernel(delta)), {random_state_, before}},
       origin_of(module_, i, text_file())});
  scope.values[id] = {before};
  return {};
}

}  // namespace hlocc::lowering
