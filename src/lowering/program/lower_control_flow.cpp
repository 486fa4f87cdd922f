// While loops and conditionals: steps that hold steps. A loop's state is as small as can be: what
// its body hands on unchanged is read in place, and counters change last, when no step needs their
// old value.
#include <algorithm>

#include "hlo/leaves.h"
#include "kernel/program_values.h"
#include "lowering/program/layer.h"
#include "lowering/program/program_builder.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::ProgramValueId;
using kernel::ValueRole;

namespace {

// Steps that make a loop's next values from its variables alone, as a counter's, become the last of
// an iteration: by then all others have read the variable, and it may change in place.
void put_counters_last(kernel::Steps& body, const ValueIds& carried, const ValueIds& next) {
  std::map<ProgramValueId, int> uses;
  kernel::Steps counted = body;
  kernel::replace_values(counted, [&](ProgramValueId id) { return ++uses[id], id; });
  const auto contains = [](const ValueIds& ids, ProgramValueId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  std::stable_partition(body.begin(), body.end(), [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr) return true;
    return !std::all_of(launch->operands.begin(), launch->operands.end(), [&](ProgramValueId id) {
      return contains(carried, id) || (contains(next, id) && uses[id] == 1);
    });
  });
}

// For each leaf of a loop's state, whether the body hands on what it got.
std::vector<bool> handed_on(const hlo::Computation& body, const hlo::Shape& state) {
  std::vector<bool> unchanged(hlo::leaf_count(state), false);
  const Instruction& root = body.root_instruction();
  if (root.opcode != Opcode::kTuple) return unchanged;
  size_t leaf = 0;
  for (size_t n = 0; n < root.operands.size(); ++n) {
    const Instruction& part = body[root.operands[n]];
    const bool passed = part.opcode == Opcode::kGetTupleElement &&
                        part.operands[0] == body.parameters[0] &&
                        part.get<hlo::TupleIndexAttributes>().index == static_cast<int64_t>(n);
    for (size_t count = hlo::leaf_count(state.tuple[n]); count > 0; --count)
      unchanged[leaf++] = passed;
  }
  return unchanged;
}

}  // namespace

Status ProgramBuilder::lower_while(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  const hlo::Computation& body = module_.computations[i.called[0]];
  const ValueIds initial = operand_leaves(scope, i);
  const std::vector<hlo::Shape> shapes = hlo::leaf_shapes(i.shape);
  kernel::WhileStep step;
  ValueIds carried(initial.size());
  for (size_t n = 0; n < initial.size(); ++n)
    carried[n] = add_value(shapes[n], ValueRole::kTemporary, cat(i.name, ".", n));
  // Leaves that the body hands on unchanged are no state: their initial value is read in place.
  const std::vector<bool> unchanged = handed_on(body, i.shape);
  ValueIds seen = carried;
  for (size_t n = 0; n < initial.size(); ++n)
    if (unchanged[n]) seen[n] = initial[n];
  HLOCC_TRY_ASSIGN(const ValueIds condition,
                   lower_computation(i.called[1], {seen}, step.condition));
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
  scope.steps.push_back({std::move(step), origin_of(module_, i, text_file())});
  return {};
}

Status ProgramBuilder::lower_conditional(Scope& scope, InstructionId id) {
  const Instruction& i = scope.computation[id];
  kernel::ConditionalStep step;
  step.selector = scope.values[i.operands[0]][0];
  for (size_t n = 0; n < i.called.size(); ++n) {
    step.branches.emplace_back();
    HLOCC_TRY_ASSIGN(
        ValueIds yields,
        lower_computation(i.called[n], {scope.values[i.operands[n + 1]]}, step.branches.back()));
    step.yields.push_back(std::move(yields));
  }
  scope.values[id] = step.results = new_results(i);
  scope.steps.push_back({std::move(step), origin_of(module_, i, text_file())});
  return {};
}

}  // namespace hlocc::lowering
