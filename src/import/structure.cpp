// Orders by depth-first search from the first node on, so that a graph in order keeps its order.
#include "import/structure.h"

#include <algorithm>

#include "import/buffers.h"
#include "import/run_time_sizes.h"
#include "ops/check/locate.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Computation;
using hlo::Instruction;
using hlo::kNone;
using hlo::Module;

struct Order {
  std::vector<int32_t> nodes;
  // A node on a cycle, if there is one.
  int32_t on_cycle = kNone;
};

// Post-order over all nodes; `before(node, i)` is the i-th node that must come first, or kNone.
template <typename Before>
Order sort_nodes(size_t count, Before before) {
  enum : char { kNew, kOpen, kDone };
  Order order;
  std::vector<char> state(count, kNew);
  std::vector<std::pair<int32_t, size_t>> stack;
  for (size_t start = 0; start < count; ++start) {
    if (state[start] != kNew) continue;
    stack.push_back({static_cast<int32_t>(start), 0});
    state[start] = kOpen;
    while (!stack.empty()) {
      auto& [node, at] = stack.back();
      const int32_t next = before(node, at++);
      if (next == kNone) {
        state[node] = kDone;
        order.nodes.push_back(node);
        stack.pop_back();
      } else if (state[next] == kOpen) {
        order.on_cycle = next;
        return order;
      } else if (state[next] == kNew) {
        state[next] = kOpen;
        stack.push_back({next, 0});
      }
    }
  }
  return order;
}

// The new place of each old index; empty if nothing moves.
std::vector<int32_t> new_places(const std::vector<int32_t>& order) {
  if (std::is_sorted(order.begin(), order.end())) return {};
  std::vector<int32_t> places(order.size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<int32_t>(i);
  return places;
}

template <typename T>
void permute(std::vector<T>& items, const std::vector<int32_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (int32_t old : order) sorted.push_back(std::move(items[old]));
  items = std::move(sorted);
}

void renumber(std::vector<int32_t>& ids, const std::vector<int32_t>& places) {
  for (int32_t& id : ids) id = places[id];
}

Status sort_instructions(const Module& module, Computation& computation) {
  const auto before = [&](int32_t id, size_t at) {
    const Instruction& instruction = computation.instructions[id];
    if (at < instruction.operands.size()) return instruction.operands[at];
    at -= instruction.operands.size();
    return at < instruction.control_predecessors.size() ? instruction.control_predecessors[at]
                                                        : kNone;
  };
  const Order order = sort_nodes(computation.instructions.size(), before);
  if (order.on_cycle != kNone)
    return ops::locate(
        error(DiagnosticKind::kStructure, "depends on its own result: operands form a cycle"),
        module, computation, computation[order.on_cycle]);
  const std::vector<int32_t> places = new_places(order.nodes);
  if (places.empty()) return {};
  permute(computation.instructions, order.nodes);
  for (Instruction& instruction : computation.instructions) {
    renumber(instruction.operands, places);
    renumber(instruction.control_predecessors, places);
  }
  computation.root = places[computation.root];
  return {};
}

Status sort_computations(Module& module) {
  std::vector<std::vector<int32_t>> callees(module.computations.size());
  for (size_t c = 0; c < callees.size(); ++c)
    for (const Instruction& instruction : module.computations[c].instructions)
      callees[c].insert(callees[c].end(), instruction.called.begin(), instruction.called.end());
  const Order order = sort_nodes(callees.size(), [&](int32_t c, size_t at) {
    return at < callees[c].size() ? callees[c][at] : kNone;
  });
  if (order.on_cycle != kNone)
    return ops::locate(error(DiagnosticKind::kStructure,
                             "calls itself, directly or through others: HLO has no recursion"),
                       module, module.computations[order.on_cycle]);
  const std::vector<int32_t> places = new_places(order.nodes);
  if (places.empty()) return {};
  permute(module.computations, order.nodes);
  for (Computation& computation : module.computations)
    for (Instruction& instruction : computation.instructions) renumber(instruction.called, places);
  module.entry = places[module.entry];
  return {};
}

Diagnostic layout_mismatch(const Module& module, std::string_view what, const hlo::Shape& stated,
                           const hlo::Shape& actual) {
  return ops::locate(error(DiagnosticKind::kShape,
                           cat("the entry computation layout gives ", what, " the shape ",
                               to_string(stated), ", the entry computation ", to_string(actual))),
                     module);
}

Status settle_entry_layout(Module& module, bool has_entry_layout) {
  const Computation& entry = module.entry_computation();
  if (!has_entry_layout) {
    module.entry_parameters.clear();
    for (hlo::InstructionId parameter : entry.parameters)
      module.entry_parameters.push_back(entry[parameter].shape);
    module.entry_result = entry.root_instruction().shape;
    return {};
  }
  if (module.entry_parameters.size() != entry.parameters.size())
    return ops::locate(
        error(DiagnosticKind::kStructure,
              cat("the entry computation layout has ", module.entry_parameters.size(),
                  " parameters, the entry computation ", entry.parameters.size())),
        module);
  for (size_t i = 0; i < entry.parameters.size(); ++i)
    if (const hlo::Shape& actual = entry[entry.parameters[i]].shape;
        !same_dimensions_and_type(module.entry_parameters[i], actual))
      return layout_mismatch(module, cat("parameter ", i), module.entry_parameters[i], actual);
  if (!same_dimensions_and_type(module.entry_result, entry.root_instruction().shape))
    return layout_mismatch(module, "the result", module.entry_result,
                           entry.root_instruction().shape);
  return {};
}

}  // namespace

Status enter_parameters(const Module& module, Computation& computation) {
  const auto is_parameter = [](const Instruction& i) {
    return i.opcode == hlo::Opcode::kParameter;
  };
  const int64_t count =
      std::count_if(computation.instructions.begin(), computation.instructions.end(), is_parameter);
  computation.parameters.assign(static_cast<size_t>(count), kNone);
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    if (!is_parameter(instruction)) continue;
    const int64_t number = instruction.get<hlo::ParameterAttributes>().number;
    if (number < 0 || number >= count)
      return ops::locate(error(DiagnosticKind::kStructure,
                               cat("parameter number ", number, " is out of range: there are ",
                                   count, " parameters")),
                         module, computation, instruction);
    if (computation.parameters[number] != kNone)
      return ops::locate(
          error(DiagnosticKind::kStructure, cat("parameter number ", number, " is taken by %",
                                                computation[computation.parameters[number]].name)),
          module, computation, instruction);
    computation.parameters[number] = static_cast<int32_t>(i);
  }
  return {};
}

Status finish_module(Module& module, bool has_entry_layout) {
  HLOCC_TRY(settle_buffers(module));
  for (Computation& computation : module.computations) {
    if (computation.root == kNone)
      return ops::locate(error(DiagnosticKind::kStructure, "has no root instruction"), module,
                         computation);
    HLOCC_TRY(sort_instructions(module, computation));
    HLOCC_TRY(enter_parameters(module, computation));
  }
  if (module.entry == kNone)
    return ops::locate(error(DiagnosticKind::kStructure, "has no entry computation"), module);
  HLOCC_TRY(sort_computations(module));
  HLOCC_TRY(settle_run_time_sizes(module));
  return settle_entry_layout(module, has_entry_layout);
}

}  // namespace hlocc::import
