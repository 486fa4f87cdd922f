// The two entries of the evaluator: a kernel on given buffers, and a program whose values each have
// memory of their own.
#include "kernel/evaluate/evaluator.h"

#include "kernel/evaluate/step_runner.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

using Bytes = std::vector<std::byte>;

// Fresh memory holds garbage: a program that reads what was not written is found out.
std::vector<Bytes> fresh_values(const Program& program) {
  std::vector<Bytes> values;
  for (const ProgramValue& value : program.values) {
    if (value.data != nullptr)
      values.push_back(*value.data);
    else
      values.emplace_back(static_cast<size_t>(value.bytes()), std::byte{0xa5});
  }
  return values;
}

Status bind_arguments(const Program& program, std::span<const Bytes> arguments,
                      std::vector<Bytes>& values) {
  if (arguments.size() != program.arguments.size())
    return error(DiagnosticKind::kArgument,
                 cat(arguments.size(), " arguments for ", program.arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    Bytes& bytes = values[static_cast<size_t>(program.arguments[i])];
    if (arguments[i].size() != bytes.size())
      return error(DiagnosticKind::kArgument,
                   cat("argument ", i, " has ", arguments[i].size(), " bytes, not ", bytes.size()));
    bytes = arguments[i];
  }
  return {};
}

void load_state(const ProgramState& state, std::vector<Bytes>& values) {
  for (size_t i = 0; i < state.values.size() && i < values.size(); ++i)
    if (!state.values[i].empty()) values[i] = state.values[i];
}

void save_state(const Program& program, const std::vector<Bytes>& values, ProgramState& state) {
  state.values.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (program.values[i].role == ValueRole::kState) state.values[i] = values[i];
  // A donated argument's place holds the result afterwards.
  for (size_t r = 0; r < program.signature.results.size(); ++r) {
    const Leaf& leaf = program.signature.results[r];
    if (leaf.donated)
      state.values[static_cast<size_t>(program.arguments[static_cast<size_t>(leaf.partner)])] =
          values[static_cast<size_t>(program.results[r])];
  }
}

}  // namespace

Status evaluate(const Kernel& kernel, std::span<const std::span<std::byte>> buffers,
                std::span<const int64_t> integers) {
  return CompiledKernel(kernel).run(buffers, integers);
}

Result<std::vector<Bytes>> evaluate(const Program& program, std::span<const Bytes> arguments,
                                    ProgramState* state, const PartFunction& part) {
  std::vector<Bytes> values = fresh_values(program);
  if (state != nullptr) load_state(*state, values);
  HLOCC_TRY(bind_arguments(program, arguments, values));
  StepRunner runner(
      program.kernels,
      [&](ProgramValueId id) { return std::span(values[static_cast<size_t>(id)]); }, true, part);
  HLOCC_TRY(runner.run_all(program.steps));
  if (state != nullptr) save_state(program, values, *state);
  std::vector<Bytes> results;
  for (const ProgramValueId result : program.results)
    results.push_back(values[static_cast<size_t>(result)]);
  return results;
}

}  // namespace hlocc::kernel
