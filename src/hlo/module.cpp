// Editing of computations: appending, replacing, ordering, compacting. Traversals keep their own stack, because nesting and
// chains in a file may be deeper than ours.
#include "hlo/module.h"

#include <algorithm>
#include <unordered_set>

namespace hlocc::hlo {
namespace {

bool is_always_kept(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kRngGetAndUpdateState:
    case Opcode::kRng:
    case Opcode::kOutfeed:
    case Opcode::kInfeed:
    case Opcode::kSend:
    case Opcode::kRecv:
      return true;
    case Opcode::kCustomCall:
      return instruction.get<CustomCallAttributes>().has_side_effect;
    default:
      return false;
  }
}

// Depth-first post-order over `next(node)` without recursion.
template <typename Next>
void post_order(int32_t start, std::vector<char>& state, std::vector<int32_t>& order, Next next) {
  if (state[start]) return;
  std::vector<std::pair<int32_t, size_t>> stack{{start, 0}};
  state[start] = 1;
  while (!stack.empty()) {
    auto& [node, at] = stack.back();
    const int32_t child = next(node, at);
    if (child == kNone) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    ++at;
    if (state[child]) continue;
    state[child] = 1;
    stack.push_back({child, 0});
  }
}

}  // namespace

InstructionId Computation::add(Instruction instruction) {
  const InstructionId id = static_cast<InstructionId>(instructions.size());
  if (instruction.name.empty()) instruction.name = std::string(opcode_name(instruction.opcode)) + "." + std::to_string(id);
  const auto taken = [&] {
    return std::any_of(instructions.begin(), instructions.end(),
                       [&](const Instruction& other) { return other.name == instruction.name; });
  };
  const std::string stem = instruction.name;
  for (int suffix = id; taken(); ++suffix) instruction.name = stem + "." + std::to_string(suffix);
  if (instruction.opcode == Opcode::kParameter) {
    const size_t number = static_cast<size_t>(instruction.get<ParameterAttributes>().number);
    if (parameters.size() <= number) parameters.resize(number + 1, kNone);
    parameters[number] = id;
  }
  instructions.push_back(std::move(instruction));
  return id;
}

void Computation::replace_uses(InstructionId from, InstructionId to) {
  for (Instruction& instruction : instructions) {
    std::replace(instruction.operands.begin(), instruction.operands.end(), from, to);
    std::replace(instruction.control_predecessors.begin(), instruction.control_predecessors.end(), from, to);
  }
  if (root == from) root = to;
}

std::vector<std::vector<InstructionId>> Computation::users() const {
  std::vector<std::vector<InstructionId>> users(instructions.size());
  for (InstructionId id = 0; id < static_cast<InstructionId>(instructions.size()); ++id)
    for (InstructionId operand : instructions[id].operands)
      if (users[operand].empty() || users[operand].back() != id) users[operand].push_back(id);
  return users;
}

std::vector<InstructionId> Computation::topological_order() const {
  std::vector<char> state(instructions.size(), 0);
  std::vector<InstructionId> order;
  const auto next = [&](InstructionId id, size_t at) {
    const Instruction& i = instructions[id];
    if (at < i.operands.size()) return i.operands[at];
    at -= i.operands.size();
    return at < i.control_predecessors.size() ? i.control_predecessors[at] : kNone;
  };
  for (InstructionId parameter : parameters)
    if (parameter != kNone) post_order(parameter, state, order, next);
  for (InstructionId id = 0; id < static_cast<InstructionId>(instructions.size()); ++id)
    if (is_always_kept(instructions[id])) post_order(id, state, order, next);
  if (root != kNone) post_order(root, state, order, next);
  return order;
}

void compact(Computation& computation) {
  const std::vector<InstructionId> order = computation.topological_order();
  std::vector<InstructionId> renumbered(computation.instructions.size(), kNone);
  for (size_t i = 0; i < order.size(); ++i) renumbered[order[i]] = static_cast<InstructionId>(i);
  std::vector<Instruction> kept;
  kept.reserve(order.size());
  for (InstructionId id : order) {
    Instruction& instruction = kept.emplace_back(std::move(computation.instructions[id]));
    for (InstructionId& operand : instruction.operands) operand = renumbered[operand];
    for (InstructionId& before : instruction.control_predecessors) before = renumbered[before];
  }
  computation.instructions = std::move(kept);
  if (computation.root != kNone) computation.root = renumbered[computation.root];
  for (InstructionId& parameter : computation.parameters)
    if (parameter != kNone) parameter = renumbered[parameter];
}

std::vector<ComputationId> computation_order(const Module& module) {
  std::vector<std::vector<ComputationId>> callees(module.computations.size());
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (const Instruction& i : module.computations[c].instructions)
      callees[c].insert(callees[c].end(), i.called.begin(), i.called.end());
  std::vector<char> state(module.computations.size(), 0);
  std::vector<ComputationId> order;
  if (module.entry == kNone) return order;
  post_order(module.entry, state, order,
             [&](ComputationId c, size_t at) { return at < callees[c].size() ? callees[c][at] : kNone; });
  return order;
}

void compact(Module& module) {
  for (Computation& computation : module.computations) compact(computation);
  const std::vector<ComputationId> order = computation_order(module);
  std::vector<ComputationId> renumbered(module.computations.size(), kNone);
  for (size_t i = 0; i < order.size(); ++i) renumbered[order[i]] = static_cast<ComputationId>(i);
  std::vector<Computation> kept;
  kept.reserve(order.size());
  for (ComputationId id : order) {
    Computation& computation = kept.emplace_back(std::move(module.computations[id]));
    for (Instruction& instruction : computation.instructions)
      for (ComputationId& called : instruction.called) called = renumbered[called];
  }
  module.computations = std::move(kept);
  module.entry = renumbered[module.entry];
}

bool has_side_effect(const Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::kParameter && is_always_kept(instruction)) return true;
  std::vector<ComputationId> todo = instruction.called;
  std::unordered_set<ComputationId> seen(todo.begin(), todo.end());
  while (!todo.empty()) {
    const Computation& computation = module.computations[todo.back()];
    todo.pop_back();
    for (const Instruction& inner : computation.instructions) {
      if (inner.opcode != Opcode::kParameter && is_always_kept(inner)) return true;
      for (ComputationId called : inner.called)
        if (seen.insert(called).second) todo.push_back(called);
    }
  }
  return false;
}

Instruction make(Opcode opcode, Shape shape, std::vector<InstructionId> operands, Attributes attributes,
                 std::vector<ComputationId> called) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.shape = std::move(shape);
  instruction.operands = std::move(operands);
  instruction.attributes = std::move(attributes);
  instruction.called = std::move(called);
  return instruction;
}

Instruction make_constant(Literal value) {
  Shape shape = value.shape();
  return make(Opcode::kConstant, std::move(shape), {}, ConstantAttributes{std::move(value)});
}

Instruction make_parameter(int64_t number, Shape shape, std::string name) {
  Instruction instruction = make(Opcode::kParameter, std::move(shape), {}, ParameterAttributes{number});
  instruction.name = std::move(name);
  return instruction;
}

}  // namespace hlocc::hlo
