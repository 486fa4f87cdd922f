// Editing of computations: appending, replacing, ordering, compacting. Traversals keep their own
// stack, because nesting and chains in a file may be deeper than ours.
#include "hlo/module.h"

#include <algorithm>
#include <unordered_set>

#include "support/check.h"

namespace hlocc::hlo {
namespace {

// Ops with an effect of their own, whatever they call.
bool has_own_effect(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kRngGetAndUpdateState:
    case Opcode::kRng:
    case Opcode::kOutfeed:
    case Opcode::kInfeed:
    case Opcode::kSend:
    case Opcode::kRecv: return true;
    case Opcode::kCustomCall: return instruction.get<CustomCallAttributes>().has_side_effect;
    default: return false;
  }
}

// Ops that run computations for their own sake, so that an effect in there is theirs. Reducers and
// comparators run an unstated number of times and can't have any.
bool runs_computations(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kScan:
    case Opcode::kAsyncStart: return true;
    default: return false;
  }
}

// One flag a computation: does it, or anything that it calls, hold an effect?
std::vector<char> effects_of(const Module& module) {
  std::vector<char> effects(module.computations.size(), 0);
  for (ComputationId id : computation_order(module))
    for (const Instruction& instruction : module.computations[id].instructions) {
      bool effect = has_own_effect(instruction);
      for (ComputationId called : instruction.called) effect = effect || effects[called];
      if (effect) effects[id] = 1;
    }
  return effects;
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

void Instruction::refuse_attributes() const {
  HLOCC_CHECK(false, "attributes of " + name + " are of another kind");
}

InstructionId Computation::add(Instruction instruction) {
  const InstructionId id = static_cast<InstructionId>(instructions.size());
  if (known_count != instructions.size()) {
    known_names.clear();
    for (const Instruction& known : instructions) known_names.insert(known.name);
  }
  if (instruction.name.empty())
    instruction.name = std::string(opcode_name(instruction.opcode)) + "." + std::to_string(id);
  const std::string stem = instruction.name;
  for (int suffix = id; !known_names.insert(instruction.name).second; ++suffix)
    instruction.name = stem + "." + std::to_string(suffix);
  if (instruction.opcode == Opcode::kParameter) {
    const size_t number = static_cast<size_t>(instruction.get<ParameterAttributes>().number);
    if (parameters.size() <= number) parameters.resize(number + 1, kNone);
    parameters[number] = id;
  }
  instructions.push_back(std::move(instruction));
  known_count = instructions.size();
  return id;
}

void Computation::replace_uses(InstructionId from, InstructionId to) {
  for (Instruction& instruction : instructions) {
    std::replace(instruction.operands.begin(), instruction.operands.end(), from, to);
    std::replace(instruction.control_predecessors.begin(), instruction.control_predecessors.end(),
                 from, to);
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

namespace {

// `is_kept` names what must stay although it may have no user; parameters always do.
template <typename IsKept>
std::vector<InstructionId> order_of(const Computation& computation, IsKept is_kept) {
  std::vector<char> state(computation.instructions.size(), 0);
  std::vector<InstructionId> order;
  const auto next = [&](InstructionId id, size_t at) {
    const Instruction& i = computation.instructions[id];
    if (at < i.operands.size()) return i.operands[at];
    at -= i.operands.size();
    return at < i.control_predecessors.size() ? i.control_predecessors[at] : kNone;
  };
  for (InstructionId parameter : computation.parameters)
    if (parameter != kNone) post_order(parameter, state, order, next);
  for (InstructionId id = 0; id < static_cast<InstructionId>(computation.instructions.size()); ++id)
    if (is_kept(computation.instructions[id])) post_order(id, state, order, next);
  if (computation.root != kNone) post_order(computation.root, state, order, next);
  return order;
}

std::vector<InstructionId> order_with_effects(const Computation& computation,
                                              const std::vector<char>& effects) {
  return order_of(computation, [&](const Instruction& instruction) {
    return has_own_effect(instruction) ||
           std::any_of(instruction.called.begin(), instruction.called.end(),
                       [&](ComputationId c) { return effects[c]; });
  });
}

void keep_in_order(Computation& computation, const std::vector<InstructionId>& order) {
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
  computation.known_count = 0;
  computation.known_names.clear();
  if (computation.root != kNone) computation.root = renumbered[computation.root];
  for (InstructionId& parameter : computation.parameters)
    if (parameter != kNone) parameter = renumbered[parameter];
}

}  // namespace

std::vector<InstructionId> Computation::topological_order() const {
  return order_of(*this,
                  [](const Instruction& i) { return has_own_effect(i) || runs_computations(i); });
}

std::vector<InstructionId> Computation::topological_order(const Module& module) const {
  return order_with_effects(*this, effects_of(module));
}

void compact(Computation& computation) {
  keep_in_order(computation, computation.topological_order());
}

std::vector<ComputationId> computation_order(const Module& module) {
  std::vector<std::vector<ComputationId>> callees(module.computations.size());
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (const Instruction& i : module.computations[c].instructions)
      callees[c].insert(callees[c].end(), i.called.begin(), i.called.end());
  std::vector<char> state(module.computations.size(), 0);
  std::vector<ComputationId> order;
  if (module.entry == kNone) return order;
  post_order(module.entry, state, order, [&](ComputationId c, size_t at) {
    return at < callees[c].size() ? callees[c][at] : kNone;
  });
  return order;
}

void compact(Module& module) {
  const std::vector<char> effects = effects_of(module);
  for (ComputationId id : computation_order(module)) {
    Computation& computation = module.computations[id];
    keep_in_order(computation, order_with_effects(computation, effects));
  }
  // Dropped instructions may have been the last callers.
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
  if (has_own_effect(instruction)) return true;
  std::vector<ComputationId> todo = instruction.called;
  std::unordered_set<ComputationId> seen(todo.begin(), todo.end());
  while (!todo.empty()) {
    const Computation& computation = module.computations[todo.back()];
    todo.pop_back();
    for (const Instruction& inner : computation.instructions) {
      if (has_own_effect(inner)) return true;
      for (ComputationId called : inner.called)
        if (seen.insert(called).second) todo.push_back(called);
    }
  }
  return false;
}

Instruction make(Opcode opcode, Shape shape, std::vector<InstructionId> operands,
                 Attributes attributes, std::vector<ComputationId> called) {
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
  Instruction instruction =
      make(Opcode::kParameter, std::move(shape), {}, ParameterAttributes{number});
  instruction.name = std::move(name);
  return instruction;
}

}  // namespace hlocc::hlo
