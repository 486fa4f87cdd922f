// Checks of ids and orders. Traversals keep their own stacks, because chains in a file may be
// deeper than ours.
#include "ops/check/structure_checks.h"

#include <algorithm>
#include <unordered_set>

#include "ops/check/checks.h"
#include "ops/check/form.h"
#include "ops/check/locate.h"

namespace hlocc::ops {
namespace {

using hlo::ComputationId, hlo::InstructionId;

Status check_names(const Computation& computation) {
  std::unordered_set<std::string_view> names;
  for (const Instruction& instruction : computation.instructions) {
    HLOCC_TRY(check(!instruction.name.empty(), kStructure, "an instruction has no name"));
    HLOCC_TRY(check(names.insert(instruction.name).second, kStructure,
                    "two instructions are called %", instruction.name));
  }
  return {};
}

Status check_root(const Computation& computation) {
  HLOCC_TRY(check(!computation.instructions.empty(), kStructure, "has no instructions"));
  const auto count = static_cast<InstructionId>(computation.instructions.size());
  return check(computation.root >= 0 && computation.root < count, kStructure, "the root, ",
               computation.root, ", names no instruction");
}

// Numbers are 0 .. n-1, each once, and `parameters` lists them.
Status check_parameter_numbers(const Computation& computation) {
  std::vector<InstructionId> found;
  for (size_t id = 0; id < computation.instructions.size(); ++id) {
    const Instruction& instruction = computation.instructions[id];
    if (instruction.opcode != Opcode::kParameter || !holds_own_attributes(instruction)) continue;
    const int64_t number = instruction.get<hlo::ParameterAttributes>().number;
    const bool known =
        number >= 0 && number < static_cast<int64_t>(computation.instructions.size());
    HLOCC_TRY(check(known, kStructure, "%", instruction.name, " is parameter ", number,
                    ", but numbers must run from 0 without gaps"));
    if (found.size() <= static_cast<size_t>(number)) found.resize(number + 1, hlo::kNone);
    HLOCC_TRY(
        check(found[number] == hlo::kNone, kStructure, "two parameters have number ", number));
    found[number] = static_cast<InstructionId>(id);
  }
  for (size_t number = 0; number < found.size(); ++number)
    HLOCC_TRY(
        check(found[number] != hlo::kNone, kStructure, "parameter number ", number, " is missing"));
  return check(found == computation.parameters, kStructure,
               "the list of parameters does not name the parameters");
}

// Calls `visit` for operands and control predecessors.
template <typename Visit>
void for_each_predecessor(const Instruction& instruction, Visit visit) {
  for (InstructionId id : instruction.operands) visit(id);
  for (InstructionId id : instruction.control_predecessors) visit(id);
}

// True if repeatedly taking away what needs nothing leaves something over.
bool has_cycle(const Computation& computation) {
  const size_t count = computation.instructions.size();
  std::vector<std::vector<InstructionId>> users(count);
  std::vector<size_t> needs(count, 0);
  for (size_t id = 0; id < count; ++id)
    for_each_predecessor(computation.instructions[id], [&](InstructionId before) {
      users[before].push_back(static_cast<InstructionId>(id));
      ++needs[id];
    });
  std::vector<InstructionId> ready;
  for (size_t id = 0; id < count; ++id)
    if (needs[id] == 0) ready.push_back(static_cast<InstructionId>(id));
  for (size_t i = 0; i < ready.size(); ++i)
    for (InstructionId user : users[ready[i]])
      if (--needs[user] == 0) ready.push_back(user);
  return ready.size() < count;
}

Status check_order(const Module& module, const Computation& computation) {
  for (size_t id = 0; id < computation.instructions.size(); ++id) {
    const Instruction& instruction = computation.instructions[id];
    InstructionId late = hlo::kNone;
    for_each_predecessor(instruction, [&](InstructionId before) {
      if (static_cast<size_t>(before) >= id) late = before;
    });
    if (late == hlo::kNone) continue;
    const std::string& name = computation.instructions[late].name;
    Diagnostic diagnostic =
        has_cycle(computation)
            ? error(kStructure, cat("depends on itself through %", name))
            : error(kStructure, cat("stands before %", name, ", which it needs"));
    return locate(std::move(diagnostic), module, computation, instruction);
  }
  return {};
}

}  // namespace

Status check_computation_structure(const Module& module, const Computation& computation) {
  for (Status (*rule)(const Computation&) : {check_root, check_names, check_parameter_numbers})
    if (Status status = rule(computation); !status)
      return locate(std::move(status).error(), module, computation);
  for (const Instruction& instruction : computation.instructions)
    if (Status status = check_form(module, computation, instruction); !status)
      return locate(std::move(status).error(), module, computation, instruction);
  return check_order(module, computation);
}

Status check_no_recursion(const Module& module) {
  enum State : char { kNew, kOpen, kDone };
  std::vector<std::vector<ComputationId>> callees(module.computations.size());
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (const Instruction& instruction : module.computations[c].instructions)
      callees[c].insert(callees[c].end(), instruction.called.begin(), instruction.called.end());
  std::vector<State> states(module.computations.size(), kNew);
  for (size_t start = 0; start < module.computations.size(); ++start) {
    if (states[start] != kNew) continue;
    std::vector<std::pair<ComputationId, size_t>> stack{{static_cast<ComputationId>(start), 0}};
    states[start] = kOpen;
    while (!stack.empty()) {
      auto& [current, next] = stack.back();
      if (next == callees[current].size()) {
        states[current] = kDone;
        stack.pop_back();
        continue;
      }
      const ComputationId callee = callees[current][next++];
      if (states[callee] == kOpen)
        return locate(
            error(kStructure, "calls itself").note("HLO has no recursion: write a while loop"),
            module, module.computations[callee]);
      if (states[callee] == kNew) {
        states[callee] = kOpen;
        stack.push_back({callee, 0});
      }
    }
  }
  return {};
}

}  // namespace hlocc::ops
