// Builds the fusions that fuse_groups.cpp decided: each group's members move into a computation of
// their own, whose parameters are what the group reads from memory. Why it pays: a value that one
// kernel hands to itself costs no memory and no pass over it.
#include "transforms/fusion/fuse.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "costs/fusion.h"
#include "transforms/fusion/fuse_gates.h"
#include "transforms/fusion/fuse_groups.h"
#include "transforms/fusion/fuse_results.h"
#include "transforms/fusion/fuse_serpentine.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::ComputationId;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using hlo::Opcode;

namespace {

// Copies members and what they duplicate into `body`, externals becoming parameters.
class BodyBuilder {
 public:
  BodyBuilder(const Computation& outer, const FusionPlan& plan, int group)
      : outer_(outer), plan_(plan), group_(group) {}

  Computation build(const std::string& name) {
    body_.name = name;
    for (InstructionId id : plan_.groups[group_].members) copy(id);
    if (const InstructionId counter = plan_.groups[group_].counter; counter != hlo::kNone)
      parameter(counter);
    const FusionGroup& group = plan_.groups[group_];
    body_.root = inner_.at(group.root);
    if (!group.more_roots.empty()) {
      std::vector<InstructionId> results;
      std::vector<hlo::Shape> shapes;
      for (InstructionId id : group.roots()) {
        results.push_back(inner_.at(id));
        shapes.push_back(outer_[id].shape);
      }
      body_.root = body_.add(
          hlo::make(Opcode::kTuple, hlo::Shape::make_tuple(std::move(shapes)), std::move(results)));
    }
    return std::move(body_);
  }
  const std::vector<InstructionId>& externals() const { return externals_; }
  size_t size() const { return inner_.size(); }

 private:
  InstructionId inner(InstructionId id) {
    if (const auto known = inner_.find(id); known != inner_.end()) return known->second;
    if (plan_.duplicated[id]) return copy(id);
    return inner_[id] = parameter(id);
  }
  InstructionId parameter(InstructionId id) {
    Instruction parameter =
        hlo::make_parameter(static_cast<int64_t>(externals_.size()), outer_[id].shape, "");
    parameter.name = "p" + std::to_string(externals_.size()) + "." + outer_[id].name;
    externals_.push_back(id);
    return body_.add(std::move(parameter));
  }
  // Duplicated instructions nest a few deep.
  InstructionId copy(InstructionId id) {
    if (const auto known = inner_.find(id); known != inner_.end()) return known->second;
    Instruction instruction = outer_[id];
    for (InstructionId& operand : instruction.operands) operand = inner(operand);
    instruction.control_predecessors.clear();
    return inner_[id] = body_.add(std::move(instruction));
  }

  const Computation& outer_;
  const FusionPlan& plan_;
  int group_;
  Computation body_;
  std::map<InstructionId, InstructionId> inner_;
  std::vector<InstructionId> externals_;
};

// True if any operand of the lone instruction is computed inside the group.
bool duplicates_operands(const Instruction& i, const FusionPlan& plan) {
  for (InstructionId operand : i.operands)
    if (plan.duplicated[operand]) return true;
  return false;
}

// The names of the module's computations.
class Names {
 public:
  explicit Names(const Module& module) {
    for (const Computation& computation : module.computations) taken_.insert(computation.name);
  }
  // The wanted one, or that with the first number that is free.
  std::string add(const std::string& wanted) {
    std::string name = wanted;
    for (int& suffix = suffixes_[wanted]; !taken_.insert(name).second;)
      name = wanted + "." + std::to_string(++suffix);
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> suffixes_;
};

// By instruction: what its users read from now on.
using Replacements = std::unordered_map<InstructionId, InstructionId>;

// Users of the group's results read the fusion, or the element of it that stands for theirs.
void replace_results(Computation& computation, const FusionGroup& group, InstructionId fusion,
                     Replacements& replaced) {
  if (group.more_roots.empty()) {
    replaced[group.root] = fusion;
    return;
  }
  const std::vector<InstructionId> roots = group.roots();
  for (size_t n = 0; n < roots.size(); ++n) {
    Instruction element = hlo::make(Opcode::kGetTupleElement, computation[roots[n]].shape, {fusion},
                                    hlo::TupleIndexAttributes{.index = static_cast<int64_t>(n)});
    element.name = computation[roots[n]].name + ".result";
    element.metadata = computation[roots[n]].metadata;
    replaced[roots[n]] = computation.add(std::move(element));
  }
}

void follow_replacements(const Replacements& replaced, Computation& computation) {
  const auto follow = [&](InstructionId& id) {
    if (const auto found = replaced.find(id); found != replaced.end()) id = found->second;
  };
  for (Instruction& i : computation.instructions) {
    for (InstructionId& operand : i.operands) follow(operand);
    for (InstructionId& before : i.control_predecessors) follow(before);
  }
  follow(computation.root);
}

void fuse_computation(Module& module, ComputationId id, Names& names, const PassContext& context) {
  const Target& target = context.target;
  FusionPlan plan = plan_fusion(module.computations[id], module, target);
  if (target.decisions.join_results) join_groups(module.computations[id], module, target, plan);
  if (costs::gates_pay(target)) plan_gates(module.computations[id], plan);
  plan_serpentines(module.computations[id], target, plan);
  Replacements replaced;
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    const FusionGroup& group = plan.groups[g];
    const Instruction root = module.computations[id][group.root];
    if (group.members.size() == 1 && group.counter == hlo::kNone &&
        !duplicates_operands(root, plan))
      continue;
    BodyBuilder builder(module.computations[id], plan, static_cast<int>(g));
    Computation body = builder.build(names.add("fused_" + root.name));
    const ComputationId called = static_cast<ComputationId>(module.computations.size());
    module.computations.push_back(std::move(body));
    Computation& computation = module.computations[id];
    const hlo::Shape shape = module.computations[called].root_instruction().shape;
    Instruction fusion = hlo::make(Opcode::kFusion, shape, builder.externals(),
                                   hlo::FusionAttributes{.schedule = group.schedule,
                                                         .serpentine = group.counter != hlo::kNone},
                                   {called});
    fusion.name = root.name + ".fusion";
    fusion.metadata = root.metadata;
    const InstructionId made = computation.add(std::move(fusion));
    replace_results(computation, group, made, replaced);
  }
  follow_replacements(replaced, module.computations[id]);
}

// Computations that run as steps: the entry, loops and branches. Reducers and fusions keep their
// bodies.
std::vector<ComputationId> step_computations(const Module& module) {
  std::vector<ComputationId> todo{module.entry};
  std::set<ComputationId> seen{module.entry};
  for (size_t at = 0; at < todo.size(); ++at)
    for (const Instruction& i : module.computations[todo[at]].instructions)
      if (i.opcode == Opcode::kWhile || i.opcode == Opcode::kConditional)
        for (ComputationId called : i.called)
          if (seen.insert(called).second) todo.push_back(called);
  return todo;
}

}  // namespace

Status fuse(Module& module, const PassContext& context) {
  hlo::compact(module);
  Names names(module);
  for (ComputationId id : step_computations(module)) fuse_computation(module, id, names, context);
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
