// Select with a branch: an arm that is long and has no other use is only computed where its value
// is taken, in vectors of few lanes where one of them takes it. Approximations in pieces (erfc,
// log1p, ...) are of this kind.
#include <algorithm>
#include <set>

#include "costs/code.h"
#include "lowering/emitter/index_ops.h"
#include "ops/op_cost.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;

namespace {

bool is_elementwise(const Instruction& i) {
  return hlo::info(i.opcode).family == hlo::Family::kElementwise;
}

// The instructions of the group that only `arm` of the select needs, and what they read besides.
struct Arm {
  std::set<InstructionId> own, shared;
  int instructions = 0;
};

Arm arm_of(const Group& group, const std::vector<std::vector<InstructionId>>& users,
           InstructionId select, InstructionId root) {
  Arm arm;
  std::set<InstructionId> todo{root};
  // From high ids to low ones: users are settled before what they use.
  while (!todo.empty()) {
    const InstructionId id = *todo.rbegin();
    todo.erase(id);
    const Instruction& i = group[id];
    if (group.is_external(id) || !is_elementwise(i) ||
        i.shape.dimensions != group[select].shape.dimensions)
      continue;
    // A result is used by the tuple of results, too.
    const bool own = std::all_of(users[id].begin(), users[id].end(), [&](InstructionId user) {
      return arm.own.count(user) || (user == select && id == root);
    });
    if (!own) {
      arm.shared.insert(id);
      continue;
    }
    arm.own.insert(id);
    arm.instructions += ops::instructions_per_element(i);
    todo.insert(i.operands.begin(), i.operands.end());
  }
  return arm;
}

}  // namespace

std::optional<Element> select_lazily(Emitter& e, const Instruction& i, const Index& index) {
  const Group& group = e.group();
  const int lanes = index.has_lanes() ? index.lanes : 1;
  if (lanes > costs::kMostLanesBehindBranch || (lanes == 1 && e.target().vector_bits > 0) ||
      hlo::is_complex(i.shape.element_type))
    return std::nullopt;
  if (i.operands[1] == i.operands[2] || i.operands[0] == i.operands[1] ||
      i.operands[0] == i.operands[2])
    return std::nullopt;
  const auto select = static_cast<InstructionId>(&i - group.body->instructions.data());
  const auto users = group.body->users();
  const Arm arms[] = {arm_of(group, users, select, i.operands[1]),
                      arm_of(group, users, select, i.operands[2])};
  if (std::max(arms[0].instructions, arms[1].instructions) <
      (lanes == 1 ? costs::kBranchPays : costs::kVectorBranchPays))
    return std::nullopt;
  // What others need too is computed before the ways part.
  for (const Arm& arm : arms)
    for (InstructionId id : arm.shared) e.element(id, index);
  const bool scalar = e.shape(i.operands[0]).rank() == 0;
  const kernel::ValueId pred = e.operand(i, 0, scalar ? Index::scalar() : index).re;
  const auto value = [&](int n) {
    return [&e, &i, &index, n] { return kernel::Values{e.operand(i, n, index).re}; };
  };
  if (lanes == 1) return Element{e.if_else(pred, value(1), value(2))[0]};
  // A vector takes a long way only if one of its lanes does.
  kernel::Values taken;
  for (int n : {1, 2}) {
    if (arms[n - 1].instructions < costs::kVectorBranchPays) {
      taken.push_back(value(n)()[0]);
      continue;
    }
    const kernel::ValueId lane =
        e.b.splat(n == 1 ? pred : e.b.unary(kernel::OpKind::kNot, pred), lanes);
    const kernel::ValueId any = e.b.reduce(kernel::OpKind::kReduceOr, lane);
    taken.push_back(
        e.if_else(any, value(n), [&] { return kernel::Values{e.zero(i.shape, lanes).re}; })[0]);
  }
  return Element{e.b.select(e.b.splat(pred, lanes), taken[0], taken[1])};
}

}  // namespace hlocc::lowering
