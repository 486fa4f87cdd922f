// The walk from HLO to steps.
#include "lowering/lower.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "kernel/lapack/lapack.h"
#include "kernel/program_values.h"
#include "lowering/border.h"
#include "lowering/dispatch.h"
#include "lowering/gates.h"
#include "lowering/in_place.h"
#include "lowering/loop_ops.h"
#include "lowering/program_builder.h"
#include "lowering/row_passes.h"
#include "ops/op_support.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::ComputationId;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::ProgramValueId;
using kernel::ValueRole;

namespace {

// Leaves of the elements of a tuple that come before element `index`.
size_t leaves_before(const hlo::Shape& tuple, int64_t index) {
  size_t count = 0;
  for (int64_t n = 0; n < index; ++n) count += hlo::leaf_shapes(tuple.tuple[n]).size();
  return count;
}

void for_each_access(const kernel::Region& region, const std::function<void(const kernel::Op&)>& visit) {
  for (const kernel::Op& op : region.ops) {
    if (std::holds_alternative<kernel::Access>(op.payload)) visit(op);
    for (const kernel::Region& inner : op.regions) for_each_access(inner, visit);
  }
}

void renumber(kernel::Region& region, const std::vector<kernel::BufferId>& to) {
  for (kernel::Op& op : region.ops) {
    if (auto* access = std::get_if<kernel::Access>(&op.payload)) access->buffer = to[access->buffer];
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

// The literal's elements in the order that the shape's layout gives them in memory. Inner arrays are row-major; only what
// leaves the entry may not be.
std::vector<std::byte> in_layout_order(const hlo::Literal& literal, const hlo::Shape& shape) {
  const auto bytes = literal.bytes();
  if (hlo::is_row_major(shape)) return {bytes.begin(), bytes.end()};
  const size_t width = hlo::storage_bytes(shape.element_type);
  const hlo::Dimensions strides = hlo::row_major_strides(shape.dimensions);
  std::vector<std::byte> out;
  out.reserve(bytes.size());
  hlo::Dimensions at(shape.dimensions.size(), 0);
  while (out.size() < bytes.size()) {
    int64_t position = 0;
    for (size_t d = 0; d < at.size(); ++d) position += at[d] * strides[d];
    out.insert(out.end(), bytes.begin() + position * width, bytes.begin() + (position + 1) * width);
    for (int64_t d : hlo::minor_to_major(shape)) {
      if (++at[d] < shape.dimensions[d]) break;
      at[d] = 0;
    }
  }
  return out;
}

bool is_view(Opcode opcode) {
  return opcode == Opcode::kReshape || opcode == Opcode::kBitcast || opcode == Opcode::kCopy ||
         opcode == Opcode::kOptBarrier || opcode == Opcode::kDomain || opcode == Opcode::kAddDependency;
}

// The value that a loop op changes in place: (result leaf, operand).
std::vector<std::pair<int, int>> updated_operands(const Instruction& i) {
  if (i.opcode == Opcode::kDynamicUpdateSlice) return {{0, 0}};
  std::vector<std::pair<int, int>> out;
  if (i.opcode == Opcode::kScatter)
    for (int n = 0; n < static_cast<int>((i.operands.size() - 1) / 2); ++n) out.push_back({n, n});
  return out;
}

// Steps that make a loop's next values from its variables alone, as a counter's, become the last of a turn: by then all others
// have read the variable, and it may change in place.
void put_counters_last(kernel::Steps& body, const ValueIds& carried, const ValueIds& next) {
  std::map<ProgramValueId, int> uses;
  kernel::Steps counted = body;
  kernel::replace_values(counted, [&](ProgramValueId id) { return ++uses[id], id; });
  const auto contains = [](const ValueIds& ids, ProgramValueId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  std::stable_partition(body.begin(), body.end(), [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr) return true;
    return !std::all_of(launch->operands.begin(), launch->operands.end(), [&](ProgramValueId id) {
      return contains(carried, id) || (contains(next, id) && uses[id] == 1);
    });
  });
}

}  // namespace

ProgramValueId ProgramBuilder::add_value(const hlo::Shape& shape, ValueRole role, const std::string& name) {
  kernel::ProgramValue value;
  value.name = name;
  value.element = kernel::scalar_of(hlo::real_type(shape.element_type));
  value.elements = shape.element_count() * (hlo::is_complex(shape.element_type) ? 2 : 1);
  value.role = role;
  program.values.push_back(std::move(value));
  return static_cast<ProgramValueId>(program.values.size() - 1);
}

ProgramValueId ProgramBuilder::constant_value(const Instruction& constant) {
  const ProgramValueId id = add_value(constant.shape, ValueRole::kConstant, constant.name);
  program.values[id].data =
      std::make_shared<const std::vector<std::byte>>(in_layout_order(constant.get<hlo::ConstantAttributes>().value, constant.shape));
  return id;
}

ProgramValueId ProgramBuilder::derived_value(const Emitter::Derived& derived) {
  kernel::ProgramValue value;
  value.name = derived.name;
  value.element = derived.element;
  value.elements = static_cast<int64_t>(derived.data->size()) / kernel::scalar_bytes(derived.element);
  value.role = ValueRole::kConstant;
  value.data = derived.data;
  program.values.push_back(std::move(value));
  return static_cast<ProgramValueId>(program.values.size() - 1);
}

ProgramValueId ProgramBuilder::add_packed(const kernel::Leaf& leaf, ValueRole role, const std::string& name) {
  return add_value(hlo::Shape::array(hlo::PrimitiveType::kU8, {leaf.bytes()}), role, name);
}

ProgramValueId ProgramBuilder::add_argument(int index) {
  const kernel::Leaf& leaf = program.signature.arguments[index];
  const ValueRole role = leaf.donated ? ValueRole::kState : ValueRole::kArgument;
  const std::string name = cat("argument ", index);
  const ProgramValueId id = is_packed(leaf.shape) ? add_packed(leaf, role, name) : add_value(leaf.shape, role, name);
  program.values[id].leaf = index;
  program.arguments.push_back(id);
  if (!is_packed(leaf.shape)) return id;
  const ProgramValueId array = add_value(leaf.shape, ValueRole::kTemporary, cat(name, " unpacked"));
  program.steps.push_back({kernel::Launch{intern(unpack_kernel(leaf.shape)), {id, array}}, {name}});
  return array;
}

ProgramValueId ProgramBuilder::add_result(int index, ProgramValueId value) {
  const kernel::Leaf& leaf = program.signature.results[index];
  if (!is_packed(leaf.shape)) return value;
  const std::string name = cat("result ", index);
  const ProgramValueId id = add_packed(leaf, ValueRole::kTemporary, cat(name, " packed"));
  program.steps.push_back({kernel::Launch{intern(pack_kernel(leaf.shape)), {value, id}}, {name}});
  return id;
}

kernel::KernelId ProgramBuilder::intern(kernel::Kernel kernel) {
  kernel::Kernel nameless = kernel;
  nameless.name.clear();
  nameless.origin.clear();
  const size_t hash = std::hash<std::string>{}(kernel::to_text(nameless));
  std::vector<kernel::KernelId>& same_hash = kernels_by_hash_[hash];
  for (kernel::KernelId id : same_hash) {
    kernel::Kernel& other = program.kernels[id];
    if (!kernel::same_code(other, kernel)) continue;
    other.origin.insert(other.origin.end(), kernel.origin.begin(), kernel.origin.end());
    return id;
  }
  const auto id = static_cast<kernel::KernelId>(program.kernels.size());
  same_hash.push_back(id);
  kernel.name = cat(kernel.name, "_", id);
  program.kernels.push_back(std::move(kernel));
  return id;
}

ValueIds ProgramBuilder::operand_leaves(const Scope& scope, const Instruction& instruction) const {
  ValueIds leaves;
  for (InstructionId operand : instruction.operands)
    leaves.insert(leaves.end(), scope.values[operand].begin(), scope.values[operand].end());
  return leaves;
}

// Schedules that a fusion asks for by name; all others belong to its loop op.
struct NamedSchedule {
  std::string_view name;
  void (*run)(Emitter&);
};
constexpr NamedSchedule kNamedSchedules[] = {
    {"rows", schedule_rows}, {"row_tiles", schedule_row_tiles}, {"gates", schedule_gates}, {"gates_zigzag", schedule_gates}};

Status ProgramBuilder::lower_group(Scope& scope, InstructionId id, const Group& group) {
  const Instruction& instruction = scope.computation[id];
  const WorkingOn note(cat("lowering of %", instruction.name, " (", hlo::opcode_name(instruction.opcode), ")"));
  const auto* named = std::find_if(std::begin(kNamedSchedules), std::end(kNamedSchedules),
                                   [&](const NamedSchedule& schedule) { return schedule.name == group.schedule; });
  const bool is_named = named != std::end(kNamedSchedules), rows = group.schedule == "rows";
  const InstructionId hero_id = is_named ? hlo::kNone : hero(group);
  const std::string_view stem = hlo::opcode_name(hero_id == hlo::kNone ? group.root().opcode : group[hero_id].opcode);
  Emitter emitter(group, target_, is_named ? group.schedule : to_c_identifier(stem));
  if (is_named) {
    named->run(emitter);
  } else if (hero_id == hlo::kNone) {
    schedule_elements(emitter);
  } else {
    dispatch_schedule(emitter, hero_id);
  }
  if (emitter.failure) return std::move(*emitter.failure);

  // What each buffer is bound to, in the emitter's order: inputs, then results.
  ValueIds bound(group.externals.size(), kNone);
  for (const auto& [external, position] : group.externals) {
    const InstructionId outer = instruction.opcode == Opcode::kFusion ? instruction.operands[position] : external;
    const ValueIds& leaves = scope.values[outer];
    if (!leaves.empty()) bound[position] = leaves[0];
  }
  std::erase(bound, kNone);
  const size_t inputs = bound.size();
  ValueIds& results = scope.values[id];
  for (InstructionId root : group.roots)
    for (const hlo::Shape& leaf : hlo::leaf_shapes(group[root].shape))
      results.push_back(add_value(leaf, ValueRole::kTemporary, instruction.opcode == Opcode::kFusion ? group[root].name : instruction.name));
  bound.insert(bound.end(), results.begin(), results.end());
  for (const Emitter::Derived& derived : emitter.derived()) bound.push_back(derived_value(derived));

  kernel::Kernel kernel = emitter.finish();
  const std::vector<int> kept = tidy_buffers(kernel);
  kernel::Launch launch;
  std::map<int, int> place;  // old buffer -> position among the launch's operands
  for (int old : kept) {
    place[old] = static_cast<int>(launch.operands.size());
    launch.operands.push_back(bound[old]);
  }
  for (const auto& [root, external] : rows ? row_in_place_pairs(group) : in_place_pairs(group, kept_operands(group))) {
    const int input = group.externals.at(external), output = static_cast<int>(inputs) + root;
    if (place.count(input) && place.count(output)) launch.overlaps.push_back({place[output], place[input], 0});
  }
  if (hero_id != hlo::kNone) {
    for (const auto& [leaf, operand] : updated_operands(group[hero_id])) {
      const InstructionId from = group[hero_id].operands[operand];
      const int result = place.at(static_cast<int>(inputs) + leaf);
      launch.updates.push_back({result, bound[group.externals.at(from)]});
      // What it held before is part of the result.
      kernel.buffers[result].direction = kernel::Direction::kInOut;
    }
  }
  launch.kernel = intern(std::move(kernel));
  scope.steps.push_back({std::move(launch), group.origin});
  return {};
}

Status ProgramBuilder::lower_while(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const hlo::Computation& body = module_.computations[i.called[0]];
  const ValueIds initial = operand_leaves(scope, i);
  const std::vector<hlo::Shape> shapes = hlo::leaf_shapes(i.shape);
  kernel::WhileStep step;
  // Leaves that the body hands on unchanged are no state: their initial value is read in place.
  ValueIds carried(initial.size());
  for (size_t n = 0; n < initial.size(); ++n) carried[n] = add_value(shapes[n], ValueRole::kTemporary, cat(i.name, ".", n));
  std::vector<bool> unchanged(initial.size(), false);
  const Instruction& root = body.root_instruction();
  if (root.opcode == Opcode::kTuple && i.shape.is_tuple()) {
    size_t leaf = 0;
    for (size_t n = 0; n < root.operands.size(); ++n) {
      const Instruction& part = body[root.operands[n]];
      const size_t count = hlo::leaf_shapes(i.shape.tuple[n]).size();
      const bool passed = part.opcode == Opcode::kGetTupleElement && part.operands[0] == body.parameters[0] &&
                          part.get<hlo::TupleIndexAttributes>().index == static_cast<int64_t>(n);
      for (size_t k = 0; k < count; ++k, ++leaf) unchanged[leaf] = passed;
    }
  }
  ValueIds seen = carried;
  for (size_t n = 0; n < initial.size(); ++n)
    if (unchanged[n]) seen[n] = initial[n];
  HLOCC_TRY_ASSIGN(const ValueIds condition, lower_computation(i.called[1], {seen}, step.condition));
  step.condition_value = condition[0];
  HLOCC_TRY_ASSIGN(const ValueIds next, lower_computation(i.called[0], {seen}, step.body));
  put_counters_last(step.body, carried, next);
  ValueIds& results = scope.values[id];
  for (size_t n = 0; n < initial.size(); ++n) {
    if (unchanged[n]) {
      results.push_back(initial[n]);
      continue;
    }
    step.initial.push_back(initial[n]);
    step.carried.push_back(carried[n]);
    step.next.push_back(next[n]);
    step.result.push_back(add_value(shapes[n], ValueRole::kTemporary, cat(i.name, ".result.", n)));
    results.push_back(step.result.back());
  }
  scope.steps.push_back({std::move(step), {i.name}});
  return {};
}

Status ProgramBuilder::lower_conditional(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  kernel::ConditionalStep step;
  step.selector = scope.values[i.operands[0]][0];
  for (size_t n = 0; n < i.called.size(); ++n) {
    step.branches.emplace_back();
    HLOCC_TRY_ASSIGN(ValueIds yields, lower_computation(i.called[n], {scope.values[i.operands[n + 1]]}, step.branches.back()));
    step.yields.push_back(std::move(yields));
  }
  for (const hlo::Shape& leaf : hlo::leaf_shapes(i.shape)) step.results.push_back(add_value(leaf, ValueRole::kTemporary, i.name));
  scope.values[id] = step.results;
  scope.steps.push_back({std::move(step), {i.name}});
  return {};
}

Status ProgramBuilder::lower_custom_call(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const auto& call = i.get<hlo::CustomCallAttributes>();
  if (kernel::is_lapack_call(call.target)) return lower_lapack_call(scope, id);
  if (!is_c_identifier(call.target))
    return error(DiagnosticKind::kUnsupported, cat("custom-call %", i.name, " calls \"", call.target, "\", which is no C function"))
        .note("rewrite the program without it, or give the call a target that is a C identifier");
  kernel::UserCall step;
  step.symbol = call.target;
  step.operands = operand_leaves(scope, i);
  for (const hlo::Shape& leaf : hlo::leaf_shapes(i.shape)) step.results.push_back(add_value(leaf, ValueRole::kTemporary, i.name));
  scope.values[id] = step.results;
  scope.steps.push_back({std::move(step), {i.name}});
  return {};
}

Status ProgramBuilder::lower_lapack_call(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const auto& call = i.get<hlo::CustomCallAttributes>();
  std::vector<hlo::Shape> operands;
  for (const InstructionId operand : i.operands) operands.push_back(scope.computation[operand].shape);
  const std::vector<hlo::Shape> results = hlo::leaf_shapes(i.shape);
  Result<kernel::Kernel> kernel = kernel::lapack_kernel(call.target, call.backend_config, operands, results);
  if (!kernel) return std::move(kernel).error().note(cat("in custom-call %", i.name));
  kernel::Launch launch;
  launch.operands = operand_leaves(scope, i);
  for (const hlo::Shape& leaf : results) launch.operands.push_back(add_value(leaf, ValueRole::kTemporary, i.name));
  scope.values[id].assign(launch.operands.end() - static_cast<std::ptrdiff_t>(results.size()), launch.operands.end());
  kernel->origin = {i.name};
  launch.kernel = intern(std::move(*kernel));
  scope.steps.push_back({std::move(launch), {i.name}});
  return {};
}

// All of them read and write the one counter, which keeps them in order; nothing else may change it.
Status ProgramBuilder::lower_random_state(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  if (random_state_ == kNone) {
    random_state_ = add_value(i.shape, ValueRole::kState, "random state");
    const auto bytes = std::as_bytes(std::span(kFirstRandomState));
    program.values[random_state_].data = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  }
  const ProgramValueId before = add_value(i.shape, ValueRole::kTemporary, i.name);
  const auto delta = static_cast<uint64_t>(i.get<hlo::RngStateAttributes>().delta);
  scope.steps.push_back({kernel::Launch{intern(random_state_kernel(delta)), {random_state_, before}}, {i.name}});
  scope.values[id] = {before};
  return {};
}

Status ProgramBuilder::lower_instruction(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  ValueIds& values = scope.values[id];
  if (is_view(i.opcode)) {
    values = scope.values[i.operands[0]];
    return {};
  }
  switch (i.opcode) {
    case Opcode::kParameter: return {};  // bound by lower_computation
    case Opcode::kConstant:
      for (const hlo::Shape& leaf : hlo::leaf_shapes(i.shape)) {
        HLOCC_CHECK(i.shape.is_array() && leaf == i.shape, "a constant that is a tuple");
        values.push_back(constant_value(i));
      }
      return {};
    case Opcode::kTuple:
      values = operand_leaves(scope, i);
      return {};
    case Opcode::kGetTupleElement: {
      const hlo::Shape& tuple = scope.computation.operand(i, 0).shape;
      const int64_t index = i.get<hlo::TupleIndexAttributes>().index;
      const size_t first = leaves_before(tuple, index), count = hlo::leaf_shapes(tuple.tuple[index]).size();
      const ValueIds& all = scope.values[i.operands[0]];
      values.assign(all.begin() + first, all.begin() + first + count);
      return {};
    }
    case Opcode::kAfterAll: return {};
    case Opcode::kWhile: return lower_while(scope, id);
    case Opcode::kConditional: return lower_conditional(scope, id);
    case Opcode::kCustomCall: return lower_custom_call(scope, id);
    case Opcode::kRngGetAndUpdateState: return lower_random_state(scope, id);
    case Opcode::kFusion: {
      const Group group = fusion_group(module_, scope.computation, i);
      return lower_group(scope, id, group);
    }
    default: break;
  }
  const hlo::Service service = hlo::info(i.opcode).lowering;
  if (service != hlo::Service::kIndexOp && service != hlo::Service::kLoopOp)
    return error(DiagnosticKind::kUnsupported, cat("%", i.name, ": ", hlo::opcode_name(i.opcode), " on ", to_string(i.shape),
                                                   " can't be compiled yet"))
        .note("the interpreter may run it: --backend interpreter");
  const Group group = single_group(module_, scope.computation, id);
  return lower_group(scope, id, group);
}

Result<ValueIds> ProgramBuilder::lower_computation(ComputationId id, const std::vector<ValueIds>& parameters,
                                                   kernel::Steps& steps) {
  const hlo::Computation& computation = module_.computations[id];
  Scope scope{computation, std::vector<ValueIds>(computation.instructions.size()), steps};
  for (size_t n = 0; n < computation.parameters.size(); ++n) scope.values[computation.parameters[n]] = parameters[n];
  for (InstructionId i = 0; i < static_cast<InstructionId>(computation.instructions.size()); ++i)
    HLOCC_TRY(lower_instruction(scope, i));
  return scope.values[computation.root];
}

Result<kernel::Program> lower(const hlo::Module& module, const kernel::Signature& signature, const Target& target,
                              const Decisions&) {
  ProgramBuilder builder(module, target);
  builder.program.signature = signature;
  const hlo::Computation& entry = module.entry_computation();
  std::vector<ValueIds> parameters;
  int leaf = 0;
  for (InstructionId parameter : entry.parameters) {
    ValueIds& values = parameters.emplace_back();
    for (size_t n = hlo::leaf_shapes(entry[parameter].shape).size(); n > 0; --n) values.push_back(builder.add_argument(leaf++));
  }
  HLOCC_TRY_ASSIGN(const ValueIds results, builder.lower_computation(module.entry, parameters, builder.program.steps));
  for (size_t n = 0; n < results.size(); ++n)
    builder.program.results.push_back(builder.add_result(static_cast<int>(n), results[n]));
  // Kernels may read derived constants in place of the module's.
  kernel::drop_unread_constants(builder.program);
  return std::move(builder.program);
}

}  // namespace hlocc::lowering
