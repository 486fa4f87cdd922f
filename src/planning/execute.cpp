// See execute.h.
#include "planning/execute.h"

#include <algorithm>

#include "kernel/evaluate/step_runner.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

using namespace kernel;
using Bytes = std::vector<std::byte>;

class Machine {
 public:
  Machine(const Program& program, const Plan& plan, bool callers)
      : program_(program),
        plan_(plan),
        callers_(callers),
        regions_{make(plan.arena_bytes), make(plan.state_bytes), make(plan.constant_bytes)} {
    for (const DeviceMemory& memory : plan.memories) devices_.push_back(make(memory.bytes));
    for (size_t i = 0; i < plan.values.size(); ++i)
      if (plan.values[i].data != nullptr) put(at(plan.places[i]), *plan.values[i].data);
  }

  Status set_arguments(std::span<const Bytes> arguments) {
    if (arguments.size() != program_.arguments.size())
      return error(DiagnosticKind::kArgument, "wrong number of arguments");
    brought_.assign(arguments.begin(), arguments.end());
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Place& place = plan_.argument_places[i];
      if (static_cast<int64_t>(arguments[i].size()) != place.bytes)
        return error(DiagnosticKind::kArgument, cat("argument ", i, " has ", arguments[i].size(),
                                                    " bytes, not ", place.bytes));
      if (!brings(program_.arguments[i])) put(at(place), arguments[i]);
    }
    return {};
  }

  std::span<std::byte> memory(ProgramValueId id) {
    if (brings(id))
      return brought_[static_cast<size_t>(plan_.values[static_cast<size_t>(id)].leaf)];
    return at(plan_.places[static_cast<size_t>(id)]);
  }

  std::span<std::byte> at(const Place& place) {
    Bytes& region = place.memory == 0 ? regions_[static_cast<size_t>(place.region)]
                                      : devices_[static_cast<size_t>(place.memory - 1)];
    return std::span(region).subspan(static_cast<size_t>(place.offset),
                                     static_cast<size_t>(place.bytes));
  }

  static void put(std::span<std::byte> to, std::span<const std::byte> from) {
    std::ranges::copy(from, to.begin());
  }

 private:
  static Bytes make(int64_t bytes) { return Bytes(static_cast<size_t>(bytes), std::byte{0xa5}); }
  bool brings(ProgramValueId id) const {
    return callers_ && plan_.values[static_cast<size_t>(id)].role == ValueRole::kArgument;
  }

  const Program& program_;
  const Plan& plan_;
  bool callers_;
  Bytes regions_[3];
  std::vector<Bytes> devices_;  // from memory 1 on
  std::vector<Bytes> brought_;
};

}  // namespace

Result<std::vector<Bytes>> execute(const Program& program, const Plan& plan,
                                   std::span<const Bytes> arguments, ProgramState* state,
                                   const ExecuteOptions& options) {
  Machine machine(program, plan, options.callers_arguments);
  if (state != nullptr)
    for (size_t i = 0; i < state->values.size(); ++i)
      if (!state->values[i].empty()) Machine::put(machine.at(plan.places[i]), state->values[i]);
  HLOCC_TRY(machine.set_arguments(arguments));
  StepRunner runner(
      program.kernels, [&](ProgramValueId id) { return machine.memory(id); }, false, options.part);
  HLOCC_TRY(runner.run_all(plan.steps));
  if (state != nullptr) {
    state->values.resize(program.values.size());
    for (size_t i = 0; i < program.values.size(); ++i) {
      if (program.values[i].role != ValueRole::kState) continue;
      const std::span<std::byte> bytes = machine.at(plan.places[i]);
      state->values[i].assign(bytes.begin(), bytes.end());
    }
  }
  std::vector<Bytes> results;
  for (const Place& place : plan.result_places) {
    const std::span<std::byte> bytes = machine.at(place);
    results.emplace_back(bytes.begin(), bytes.end());
  }
  return results;
}

}  // namespace hlocc::planning
