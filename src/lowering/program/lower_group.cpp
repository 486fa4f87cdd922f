// A group becomes a kernel and a launch: the schedule builds the kernel, inputs that it does not
// read are dropped, equal kernels are kept once, and the launch says which values its buffers are
// and which of them may share a place.
#include <algorithm>
#include <functional>

#include "lowering/contraction/gates.h"
#include "lowering/emitter/dispatch.h"
#include "lowering/emitter/loop_ops.h"
#include "lowering/program/in_place.h"
#include "lowering/program/layer.h"
#include "lowering/program/program_builder.h"
#include "lowering/schedules/row_passes.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::ValueRole;

namespace {

void for_each_access(const kernel::Region& region,
                     const std::function<void(const kernel::Op&)>& visit) {
  for (const kernel::Op& op : region.ops) {
    if (std::holds_alternative<kernel::Access>(op.payload)) visit(op);
    for (const kernel::Region& inner : op.regions) for_each_access(inner, visit);
  }
}

void renumber(kernel::Region& region, const std::vector<kernel::BufferId>& to) {
  for (kernel::Op& op : region.ops) {
    if (auto* access = std::get_if<kernel::Access>(&op.payload))
      access->buffer = to[access->buffer];
    for (kernel::Region& inner : op.regions) renumber(inner, to);
  }
}

// Drops inputs that no op reads. Returns, for the remaining bound buffers, their position before.
std::vector<int> tidy_buffers(kernel::Kernel& kernel) {
  std::vector<bool> used(kernel.buffers.size());
  for_each_access(kernel.body, [&](const kernel::Op& op) { used[op.access().buffer] = true; });
  std::vector<kernel::BufferId> to(kernel.buffers.size(), kNone);
  std::vector<kernel::Buffer> kept;
  std::vector<int> from;
  for (size_t n = 0; n < kernel.buffers.size(); ++n) {
    kernel::Buffer& buffer = kernel.buffers[n];
    if (buffer.direction == kernel::Direction::kIn && !used[n]) continue;
    to[n] = static_cast<kernel::BufferId>(kept.size());
    if (buffer.direction != kernel::Direction::kScratch) from.push_back(static_cast<int>(n));
    kept.push_back(std::move(buffer));
  }
  kernel.buffers = std::move(kept);
  renumber(kernel.body, to);
  return from;
}

// The value that a loop op changes in place: (result leaf, operand).
std::vector<std::pair<int, int>> updated_operands(const Instruction& i) {
  if (i.opcode == Opcode::kDynamicUpdateSlice) return {{0, 0}};
  std::vector<std::pair<int, int>> out;
  if (i.opcode == Opcode::kScatter)
    for (int n = 0; n < static_cast<int>((i.operands.size() - 1) / 2); ++n) out.push_back({n, n});
  return out;
}

// An overload for each row of schedules.def: a row without one does not compile. The plain one
// belongs to the group's loop op.
void run(hlo::Scheduled<hlo::Schedule::kPlain>, Emitter& emitter) {
  const InstructionId hero_id = hero(emitter.group());
  if (hero_id == hlo::kNone) return schedule_elements(emitter);
  dispatch_schedule(emitter, hero_id);
}
void run(hlo::Scheduled<hlo::Schedule::kRows>, Emitter& emitter) { schedule_rows(emitter); }
void run(hlo::Scheduled<hlo::Schedule::kRowTiles>, Emitter& emitter) {
  schedule_row_tiles(emitter);
}
void run(hlo::Scheduled<hlo::Schedule::kGates>, Emitter& emitter) { schedule_gates(emitter); }

// Nothing is stored: no schedule meets results without elements.
bool is_empty(const Group& group) {
  return std::ranges::all_of(
      group.roots, [&](InstructionId root) { return group[root].shape.element_count() == 0; });
}

void run_schedule(Emitter& emitter) {
  if (is_empty(emitter.group())) return;
  switch (emitter.group().schedule) {
#define HLOCC_SCHEDULE(enumerator, text) \
  case hlo::Schedule::enumerator:        \
    return run(hlo::Scheduled<hlo::Schedule::enumerator>(), emitter);
#include "hlo/schedules.def"
  }
}

}  // namespace

kernel::KernelId ProgramBuilder::intern(kernel::Kernel kernel) {
  std::string key = kernel::code_key(kernel);
  for (const kernel::Buffer& buffer : kernel.buffers) key += cat("\n", buffer.name);
  const auto id = static_cast<kernel::KernelId>(program.kernels.size());
  const auto [known, is_new] = kernels_by_key_.emplace(std::move(key), id);
  if (!is_new) {
    std::vector<std::string>& origin = program.kernels[known->second].origin;
    origin.insert(origin.end(), kernel.origin.begin(), kernel.origin.end());
    return known->second;
  }
  kernel.name = cat(kernel.name, "_", id);
  program.kernels.push_back(std::move(kernel));
  return id;
}

ValueIds ProgramBuilder::group_inputs(const Scope& scope, const Instruction& instruction,
                                      const Group& group) const {
  ValueIds inputs(group.externals.size(), kNone);
  for (const auto& [external, position] : group.externals) {
    const InstructionId outer =
        instruction.opcode == Opcode::kFusion ? instruction.operands[position] : external;
    const ValueIds& leaves = scope.values[outer];
    if (!leaves.empty()) inputs[position] = leaves[0];
  }
  std::erase(inputs, kNone);
  return inputs;
}

ValueIds ProgramBuilder::group_results(const Instruction& instruction, const Group& group) {
  ValueIds results;
  for (InstructionId root : group.roots) {
    const std::string& name =
        instruction.opcode == Opcode::kFusion ? group[root].name : instruction.name;
    for (const hlo::Shape& leaf : hlo::leaf_shapes(group[root].shape))
      results.push_back(add_value(leaf, ValueRole::kTemporary, name));
  }
  return results;
}

Status ProgramBuilder::lower_group(Scope& scope, InstructionId id, const Group& group) {
  const Instruction& instruction = scope.computation[id];
  const WorkingOn note(
      cat("lowering of %", instruction.name, " (", hlo::opcode_name(instruction.opcode), ")"));
  const bool plain = group.schedule == hlo::Schedule::kPlain;
  const InstructionId hero_id = plain ? hero(group) : hlo::kNone;
  const std::string_view stem =
      hlo::opcode_name(hero_id == hlo::kNone ? group.root().opcode : group[hero_id].opcode);
  Emitter emitter(group, target_,
                  to_c_identifier(plain ? stem : hlo::schedule_name(group.schedule)));
  emitter.choice.schedule = group.schedule;
  if (hero_id != hlo::kNone) emitter.choice.op = group[hero_id].opcode;
  run_schedule(emitter);
  if (emitter.failure) return std::move(*emitter.failure);

  // What each buffer is bound to, in the emitter's order: inputs, results, derived constants.
  ValueIds bound = group_inputs(scope, instruction, group);
  const int inputs = static_cast<int>(bound.size());
  const ValueIds& results = scope.values[id] = group_results(instruction, group);
  bound.insert(bound.end(), results.begin(), results.end());
  for (const Emitter::Derived& derived : emitter.derived()) bound.push_back(derived_value(derived));

  kernel::Kernel kernel = emitter.finish();
  kernel::Origin origin = origin_of(group, text_file());
  kernel::Launch launch;
  std::map<int, int> place;  // buffer of the emitter -> position among the launch's operands
  for (int old : tidy_buffers(kernel)) {
    place[old] = static_cast<int>(launch.operands.size());
    launch.operands.push_back(bound[old]);
  }
  const bool rows = group.schedule == hlo::Schedule::kRows;
  for (const auto& [root, external] :
       rows ? row_in_place_pairs(group) : in_place_pairs(group, kept_operands(group))) {
    const int input = group.externals.at(external), output = inputs + root;
    if (place.count(input)) launch.overlaps.push_back({place[output], place[input], 0});
  }
  if (const auto moved = plain ? moved_in_place(group) : std::nullopt)
    if (const int input = group.externals.at(*moved); place.count(input))
      launch.overlaps.push_back({place[inputs], place[input], 0});
  if (hero_id != hlo::kNone) {
    for (const auto& [leaf, operand] : updated_operands(group[hero_id])) {
      const InstructionId from = group[hero_id].operands[operand];
      const int result = place.at(inputs + leaf);
      launch.updates.push_back({result, bound[group.externals.at(from)]});
      // What it held before is part of the result.
      kernel.buffers[result].direction = kernel::Direction::kInOut;
    }
  }
  launch.kernel = intern(std::move(kernel));
  scope.steps.push_back({std::move(launch), std::move(origin)});
  return {};
}

}  // namespace hlocc::lowering
