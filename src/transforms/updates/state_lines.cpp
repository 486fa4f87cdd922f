// See state_lines.h.
#include "transforms/updates/state_lines.h"

#include "transforms/loops/loops.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;

namespace {

// The value that lies where this one does.
InstructionId behind(const Computation& c, InstructionId id, const BaseOf& base_of) {
  if (const InstructionId base = base_of ? base_of(id) : kNone; base != kNone) return base;
  const Instruction& i = c[id];
  switch (i.opcode) {
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kDynamicUpdateSlice: return i.operands[0];
    case Opcode::kScatter: return i.operands.size() == 3 ? i.operands[0] : kNone;
    case Opcode::kGetTupleElement: {
      const Instruction& loop = c.operand(i, 0);
      if (loop.opcode != Opcode::kWhile) return kNone;
      const Instruction& state = c.operand(loop, 0);
      if (state.opcode != Opcode::kTuple) return kNone;
      return state.operands[static_cast<size_t>(i.get<hlo::TupleIndexAttributes>().index)];
    }
    default: return kNone;
  }
}

// From `from` to `to`, or empty.
StateLine line_between(const Computation& c, InstructionId from, InstructionId to,
                       const BaseOf& base_of) {
  StateLine line{from};
  while (line.back() != to && line.size() <= c.instructions.size()) {
    const InstructionId next = behind(c, line.back(), base_of);
    if (next == kNone) return {};
    line.push_back(next);
  }
  return line.back() == to ? line : StateLine{};
}

// The result leaf that an alias names; kNone for leaves deeper than one tuple.
InstructionId result_of(const Computation& entry, const hlo::Alias& alias) {
  if (alias.output_index.empty()) return entry.root;
  const Instruction& root = entry.root_instruction();
  if (root.opcode != Opcode::kTuple || alias.output_index.size() > 1) return kNone;
  return root.operands[static_cast<size_t>(alias.output_index[0])];
}

}  // namespace

std::set<hlo::ComputationId> loop_bodies(const hlo::Module& module) {
  std::set<hlo::ComputationId> bodies;
  for (const Computation& c : module.computations)
    for (const Instruction& i : c.instructions)
      if (i.opcode == Opcode::kWhile && has_open_state(module, i)) bodies.insert(i.called[0]);
  return bodies;
}

std::vector<StateLine> state_lines(const hlo::Module& module, hlo::ComputationId id,
                                   bool is_loop_body, const BaseOf& base_of) {
  const Computation& c = module.computations[static_cast<size_t>(id)];
  std::vector<StateLine> lines;
  const auto add = [&](InstructionId result, InstructionId origin) {
    if (result == kNone) return;
    if (StateLine line = line_between(c, result, origin, base_of); !line.empty())
      lines.push_back(std::move(line));
  };
  if (id == module.entry)
    for (const hlo::Alias& alias : module.aliases)
      if (alias.parameter_index.empty())
        add(result_of(c, alias), c.parameters[static_cast<size_t>(alias.parameter)]);
  if (!is_loop_body) return lines;
  const std::vector<InstructionId>& next = c.root_instruction().operands;
  for (InstructionId element = 0; element < static_cast<InstructionId>(c.instructions.size());
       ++element)
    if (const int64_t at = state_element(c, element); at >= 0)
      add(next[static_cast<size_t>(at)], element);
  return lines;
}

std::set<InstructionId> values_in_state(const hlo::Module& module, hlo::ComputationId id) {
  const Computation& c = module.computations[static_cast<size_t>(id)];
  const bool is_loop_body = loop_bodies(module).contains(id);
  std::set<InstructionId> values;
  for (const StateLine& line : state_lines(module, id, is_loop_body))
    values.insert(line.begin(), line.end());
  if (!is_loop_body) return values;
  for (InstructionId at = 0; at < static_cast<InstructionId>(c.instructions.size()); ++at)
    if (const int64_t element = state_element(c, at); element >= 0 && is_handed_on(c, element))
      values.insert(at);
  return values;
}

}  // namespace hlocc::transforms
