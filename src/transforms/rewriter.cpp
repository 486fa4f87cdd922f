// The walk of a rewrite, naming, and inlining of computations.
#include "transforms/rewriter.h"

#include <algorithm>

#include "ops/infer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::transforms {
namespace {

// Calls may double the module at each level; beyond this many instructions a computation is no
// program of anybody's.
constexpr size_t kMaxInstructions = 1 << 20;
// Looking at an instruction, and what it takes once it is built.
constexpr int64_t kVisitWork = 100, kInstructionBytes = 1024;

Status charge_instruction(const Computation& built) {
  const auto grows = [&] { return cat("computation %", built.name, " with what it calls"); };
  HLOCC_TRY(charge_work(kVisitWork, grows));
  // A list that is full moves to one of twice its size.
  const size_t count = built.instructions.size();
  const bool moves = count == built.instructions.capacity();
  return charge_memory(kInstructionBytes + (moves ? 2 * count * sizeof(Instruction) : 0), grows);
}

std::string_view first_part(std::string_view op_name) {
  return op_name.substr(0, op_name.find('/'));
}

// Of an instruction that is inlined: JAX names what a function holds relative to its callers, or
// as a whole ("jit(f)/conv1/add").
hlo::Metadata within(const hlo::Metadata& caller, hlo::Metadata inner) {
  if (inner.op_name.empty())
    inner.op_name = caller.op_name;
  else if (!caller.op_name.empty() && first_part(inner.op_name) != first_part(caller.op_name))
    inner.op_name = cat(caller.op_name, "/", inner.op_name);
  if (inner.source_file.empty()) {
    inner.source_file = caller.source_file;
    inner.source_line = caller.source_line;
    inner.stack_frame = caller.stack_frame;
  }
  return inner;
}

}  // namespace

std::string Rewriter::unique_name(const std::string& stem) {
  const auto [entry, is_new] = names_.try_emplace(stem, 0);
  if (is_new) return stem;
  for (;;) {
    std::string name = cat(stem, ".", ++entry->second);
    if (names_.try_emplace(name, 0).second) return name;
  }
}

InstructionId Rewriter::add(Instruction instruction) {
  if (Status room = charge_instruction(built_); !room) fail(std::move(room).error());
  if (built_.instructions.size() >= kMaxInstructions)
    fail(error(DiagnosticKind::kLimit,
               cat("computation %", built_.name, " grows beyond ", kMaxInstructions,
                   " instructions when its calls are inlined")));
  if (instruction.name.empty()) {
    instruction.name =
        origin_.name.empty() ? std::string(opcode_name(instruction.opcode)) : origin_.name;
    instruction.metadata = origin_.metadata;
    instruction.line = origin_.line;
  }
  instruction.name = unique_name(instruction.name);
  const InstructionId id = static_cast<InstructionId>(built_.instructions.size());
  if (instruction.opcode == Opcode::kParameter) {
    const size_t number = static_cast<size_t>(instruction.get<hlo::ParameterAttributes>().number);
    if (built_.parameters.size() <= number) built_.parameters.resize(number + 1, kNone);
    built_.parameters[number] = id;
  }
  built_.instructions.push_back(std::move(instruction));
  return id;
}

InstructionId Rewriter::add(Opcode opcode, std::vector<InstructionId> operands,
                            Attributes attributes, std::vector<ComputationId> called) {
  Instruction instruction =
      hlo::make(opcode, {}, std::move(operands), std::move(attributes), std::move(called));
  Result<Shape> shape = ops::infer_shape(module_, built_, instruction);
  HLOCC_CHECK(shape.ok(), cat("a rewrite of %", origin_.name, " made a bad ", opcode_name(opcode),
                              ": ", shape.ok() ? "" : shape.error().message));
  instruction.shape = std::move(shape).value();
  return add(std::move(instruction));
}

InstructionId Rewriter::emit(Instruction instruction) {
  const InstructionId replaced = failure_ ? kNone : rule_(*this, instruction);
  if (replaced == kNone) return add(std::move(instruction));
  changed_ = true;
  return replaced;
}

InstructionId Rewriter::inline_computation(ComputationId callee,
                                           const std::vector<InstructionId>& arguments) {
  changed_ = true;
  const Origin caller = origin_;
  const Computation& body = module_.computations[callee];
  // A copy of the order and of each instruction: rules may add computations, which moves `body`.
  const std::vector<InstructionId> order = body.topological_order();
  const InstructionId root = body.root;
  std::vector<InstructionId> renumbered(body.instructions.size(), kNone);
  for (InstructionId old : order) {
    if (Status room = charge_instruction(built_); !room) fail(std::move(room).error());
    if (failure_) break;
    Instruction instruction = module_.computations[callee][old];
    if (instruction.opcode == Opcode::kParameter) {
      renumbered[old] = arguments[instruction.get<hlo::ParameterAttributes>().number];
      continue;
    }
    for (InstructionId& operand : instruction.operands) operand = renumbered[operand];
    for (InstructionId& before : instruction.control_predecessors) before = renumbered[before];
    instruction.metadata = within(caller.metadata, std::move(instruction.metadata));
    origin_ = {instruction.name, instruction.metadata, instruction.line};
    renumbered[old] = emit(std::move(instruction));
  }
  origin_ = caller;
  if (!failure_) return renumbered[root];
  // Of the right shape for who called; the module goes no further.
  return add(hlo::make(Opcode::kAfterAll, module_.computations[callee][root].shape, {}));
}

Result<bool> Rewriter::run(const RootRule& root_rule) {
  Computation old = std::move(module_.computations[id_]);
  built_.name = old.name;
  built_.instructions.reserve(old.instructions.size());
  std::vector<InstructionId> renumbered(old.instructions.size(), kNone);
  for (InstructionId at : old.topological_order()) {
    Instruction& instruction = old.instructions[at];
    for (InstructionId& operand : instruction.operands) operand = renumbered[operand];
    for (InstructionId& before : instruction.control_predecessors) before = renumbered[before];
    origin_ = {instruction.name, instruction.metadata, instruction.line};
    renumbered[at] = emit(std::move(instruction));
    if (failure_) return *std::move(failure_);
  }
  built_.root = renumbered[old.root];
  if (root_rule) built_.root = root_rule(*this, built_.root);
  if (failure_) return *std::move(failure_);
  hlo::compact(built_);
  module_.computations[id_] = std::move(built_);
  return changed_;
}

Result<bool> rewrite(Module& module, const Rule& rule) {
  bool changed = false;
  for (ComputationId id : hlo::computation_order(module)) {
    HLOCC_TRY_ASSIGN(const bool here, Rewriter(module, id, rule).run());
    changed |= here;
  }
  hlo::compact(module);
  return changed;
}

ComputationId add_computation(Module& module, Computation computation) {
  const std::string stem = computation.name;
  const auto taken = [&] {
    return std::any_of(module.computations.begin(), module.computations.end(),
                       [&](const Computation& other) { return other.name == computation.name; });
  };
  for (int suffix = 1; taken(); ++suffix) computation.name = cat(stem, ".", suffix);
  module.computations.push_back(std::move(computation));
  return static_cast<ComputationId>(module.computations.size()) - 1;
}

}  // namespace hlocc::transforms
