// Decides groups from the last instruction to the first. An instruction joins the group of its
// users when all of them are in one group (so that no cycle can arise and the root stays the only
// result), when that group reads each of its elements about once, and when the loop op of the
// group, if any, can ask for them. A loop op joins a group of elementwise consumers as its hero:
// they become its epilogue.
#include "transforms/fusion/fuse_groups.h"

#include <algorithm>
#include <set>

#include "costs/fusion.h"
#include "costs/padded_input.h"
#include "costs/weights.h"
#include "hlo/dimensions.h"
#include "ops/op_cost.h"
#include "ops/same_element.h"
#include "support/product.h"
#include "transforms/fusion/cheap_values.h"
#include "transforms/fusion/fuse_epilogue.h"
#include "transforms/fusion/fuse_row_tiles.h"
#include "transforms/fusion/fuse_rows.h"
#include "transforms/fusion/views_of_state.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Family;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::is_one_element;
using hlo::kNone;
using hlo::Opcode;
using hlo::Service;
using ops::is_expensive;

namespace {

bool is_index_op(const Instruction& i) { return hlo::info(i.opcode).lowering == Service::kIndexOp; }
bool is_loop_op(const Instruction& i) { return hlo::info(i.opcode).lowering == Service::kLoopOp; }
bool is_contraction(const Instruction& i) {
  return i.opcode == Opcode::kDot || i.opcode == Opcode::kConvolution;
}
bool is_view(const Instruction& i) {
  return i.opcode == Opcode::kReshape || i.opcode == Opcode::kBitcast || i.opcode == Opcode::kCopy;
}

// Moves the dimension along which vectors would run.
bool moves_minor(const Instruction& i) {
  if (i.opcode != Opcode::kTranspose) return false;
  const auto& dims = i.get<hlo::DimensionsAttributes>().dimensions;
  return !dims.empty() && dims.back() != static_cast<int64_t>(dims.size()) - 1;
}

class GroupPlanner {
 public:
  GroupPlanner(const Computation& computation, const hlo::Module& module, const Target& target)
      : c_(computation),
        module_(module),
        target_(target),
        users_(computation.users()),
        views_of_state_(module, computation) {
    plan_.group_of.assign(c_.instructions.size(), kNone);
    plan_.duplicated.assign(c_.instructions.size(), false);
    behind_dot_.assign(c_.instructions.size(), false);
    unpacked_.assign(c_.instructions.size(), false);
    known_ = cheaply_known(c_);
  }

  FusionPlan run() {
    plan_rows(c_, module_, target_, users_, plan_);
    for (InstructionId id = static_cast<InstructionId>(c_.instructions.size()) - 1; id >= 0; --id)
      visit(id);
    // Users before what they use: fusions are built in this order.
    std::ranges::sort(plan_.groups, std::ranges::greater{}, &FusionGroup::root);
    plan_.number_groups();
    for (FusionGroup& group : plan_.groups) std::sort(group.members.begin(), group.members.end());
    return std::move(plan_);
  }

 private:
  void visit(InstructionId id) {
    if (plan_.group_of[id] != kNone) return;
    const Instruction& i = c_[id];
    if (i.opcode == Opcode::kConstant) {
      plan_.duplicated[id] = is_one_element(i.shape) && !is_wanted_in_memory(id);
      return;
    }
    if (!is_index_op(i) && !is_loop_op(i)) return;
    if (goes_with_windows(id)) {
      plan_.duplicated[id] = true;
      return;
    }
    if (is_unpacked_by_products(id)) {
      plan_.duplicated[id] = unpacked_[id] = true;
      return;
    }
    const int group = common_group(id);
    if (group != kNone && (can_join(id, group) || is_view_behind_dot(id))) {
      behind_dot_[id] = is_view_behind_dot(id);
      plan_.group_of[id] = group;
      plan_.groups[group].members.push_back(id);
      plan_.groups[group].cost += cost_of(i);
      if (is_loop_op(i)) plan_.groups[group].hero = id;
      return;
    }
    if (group != kNone && is_contraction(i) &&
        plan_.groups[group].schedule == hlo::Schedule::kPlain)
      return split_epilogue(c_, users_, id, group, plan_);
    if ((is_free(i) || is_index_formula(c_, id) || is_widened_by_readers(id)) &&
        !used_outside_groups(id)) {
      plan_.duplicated[id] = true;
      return;
    }
    // A view alone is no kernel: planning gives both names one place.
    if (is_view(i)) return;
    plan_.group_of[id] = static_cast<int>(plan_.groups.size());
    plan_.groups.push_back({id, is_loop_op(i) ? id : kNone, {id}});
    plan_.groups.back().cost = cost_of(i);
  }

  // A pad (takes_pad asks for one) that only convolutions read, which write what it adds beside
  // their windows.
  bool goes_with_windows(InstructionId id) const {
    if (id == c_.root || users_[id].empty()) return false;
    return std::ranges::all_of(users_[id], [&](InstructionId user) {
      return c_[user].opcode == Opcode::kConvolution &&
             costs::takes_pad(module_, c_, c_[user], target_);
    });
  }

  // Code of one element.
  static int cost_of(const Instruction& i) { return 1 + ops::instructions_per_element(i); }

  // The products that read such weights make them anew in registers, or some columns at a time.
  bool is_unpacked_by_products(InstructionId id) const {
    return known_[id] && c_.root != id && !users_[id].empty() &&
           std::all_of(users_[id].begin(), users_[id].end(), [&](InstructionId user) {
             return unpacked_[user] || reads_as_weights(user, id);
           });
  }
  // Where elements of the input lie apart, convolutions go from result to result, and ask for the
  // filter at each.
  static bool goes_by_tiles(const Instruction& i) {
    return std::ranges::all_of(i.get<hlo::ConvolutionAttributes>().window.dimensions,
                               [](const hlo::WindowDimension& w) { return w.base_dilation == 1; });
  }
  bool reads_as_weights(InstructionId user, InstructionId id) const {
    const Instruction& i = c_[user];
    if (i.opcode == Opcode::kConvolution)
      return i.operands[1] == id && i.operands[0] != id && costs::makes_filters(target_) &&
             goes_by_tiles(i);
    return i.opcode == Opcode::kDot && i.shape.rank() == 2 && i.operands[1] == id &&
           i.operands[0] != id && c_[id].shape.rank() == 2 &&
           i.get<hlo::DotAttributes>().rhs_contracting == hlo::Dimensions{0};
  }

  // Broadcasts of one element: index arithmetic only.
  bool is_free(const Instruction& i) const {
    return i.opcode == Opcode::kBroadcast && is_one_element(c_.operand(i, 0).shape);
  }
  // A conversion to larger elements goes to its readers, none of which asks for rows of them.
  bool is_widened_by_readers(InstructionId id) const {
    return is_cheap_widening(c_, id, target_) &&
           std::all_of(users_[id].begin(), users_[id].end(), [&](InstructionId user) {
             const int group = plan_.group_of[user];
             return group != kNone && plan_.groups[group].schedule == hlo::Schedule::kPlain &&
                    reads_once(c_[user], id);
           });
  }
  bool used_outside_groups(InstructionId id) const {
    if (c_.root == id || users_[id].empty()) return true;
    return std::any_of(users_[id].begin(), users_[id].end(), [&](InstructionId user) {
      return (plan_.group_of[user] == kNone && !plan_.duplicated[user]) ||
             reads_from_memory(c_[user], id);
    });
  }
  bool is_wanted_in_memory(InstructionId id) const {
    return std::any_of(users_[id].begin(), users_[id].end(),
                       [&](InstructionId user) { return reads_from_memory(c_[user], id); });
  }
  // Operands that a kernel wants in memory: both sides of contractions, the array that an update
  // changes.
  bool reads_from_memory(const Instruction& user, InstructionId operand) const {
    switch (user.opcode) {
      case Opcode::kDot:
      case Opcode::kConvolution: return true;
      case Opcode::kPad:
        return user.operands[0] == operand && plan_.duplicated[&user - c_.instructions.data()];
      case Opcode::kDynamicUpdateSlice: return user.operands[0] == operand;
      case Opcode::kScatter: {
        const auto arrays =
            user.operands.begin() + static_cast<std::ptrdiff_t>((user.operands.size() - 1) / 2);
        return std::find(user.operands.begin(), arrays, operand) != arrays;
      }
      default: return false;
    }
  }

  static bool is_operand(const Instruction& user, InstructionId id) {
    return std::find(user.operands.begin(), user.operands.end(), id) != user.operands.end();
  }

  int common_group(InstructionId id) const {
    if (c_.root == id || users_[id].empty()) return kNone;
    const int group = plan_.group_of[users_[id][0]];
    for (InstructionId user : users_[id])
      if (plan_.group_of[user] != group) return kNone;
    return group;
  }

  bool can_join(InstructionId id, int group_index) const {
    const FusionGroup& group = plan_.groups[group_index];
    const Instruction& i = c_[id];
    // Row groups have taken what they can.
    if (group.schedule != hlo::Schedule::kPlain) return false;
    if (is_read_behind_dot(id)) return false;
    if (group.cost + cost_of(i) > costs::most_group_cost(target_)) return false;
    if (is_loop_op(i)) return can_be_hero(id, group);
    if (i.opcode == Opcode::kConcatenate || i.opcode == Opcode::kPad) return false;
    if (target_.style == KernelStyle::kSimd && moves_minor(i)) return false;
    for (InstructionId user : users_[id])
      if (!reads_once(c_[user], id)) return false;
    // The array that an update changes must not be read by the same kernel.
    if (group.hero != kNone)
      for (InstructionId operand : i.operands)
        if (is_operand(c_[group.hero], operand) && reads_from_memory(c_[group.hero], operand))
          return false;
    return true;
  }

  bool is_read_behind_dot(InstructionId id) const {
    return std::any_of(users_[id].begin(), users_[id].end(),
                       [&](InstructionId user) { return behind_dot_[user]; });
  }
  // A transpose that leaves rows as they are (the heads of attention), and the slices and reshapes
  // before it, are strides to a dot. What they read stays alive longer: where RAM is constrained
  // only where it does so anyway.
  bool is_view_behind_dot(InstructionId id) const {
    const Instruction& i = c_[id];
    if (users_[id].size() != 1 || hlo::is_complex(i.shape.element_type)) return false;
    const Instruction& user = c_[users_[id][0]];
    const bool next = behind_dot_[users_[id][0]];
    const bool transposes = i.opcode == Opcode::kTranspose && !moves_minor(i);
    const bool slices = i.opcode == Opcode::kSlice || i.opcode == Opcode::kReshape;
    if (costs::reads_through_views(target_))
      return (transposes && user.opcode == Opcode::kDot) || (next && (transposes || slices));
    return (transposes || slices || i.opcode == Opcode::kDynamicSlice) &&
           (next || is_right_of_few_rows(user, id, target_)) && views_of_state_.contain(id);
  }
  // True if `user` asks for each element of `operand` about once, or asking is cheap.
  bool reads_once(const Instruction& user, InstructionId operand) const {
    const Instruction& i = c_[operand];
    if (reads_from_memory(user, operand)) return false;
    if (is_one_element(i.shape)) return !is_expensive(i);
    switch (user.opcode) {
      case Opcode::kBroadcast:
      case Opcode::kReduceWindow:
      case Opcode::kSelectAndScatter: return !is_expensive(i) && ops::is_elementwise(c_, i);
      // The bytes that a table of single numbers is read at.
      case Opcode::kGather:
        return i.opcode == Opcode::kBitcastConvert &&
               product(user.get<hlo::GatherAttributes>().slice_sizes) == 1;
      case Opcode::kSort:
      case Opcode::kScatter:
      case Opcode::kReduce: return true;
      default: return true;
    }
  }

  // Contractions keep many results in registers, each of which gets the epilogue's code: a long one
  // is a loop of its own, in place; one that makes smaller elements stays, because what it reads
  // would take more room.
  bool is_long_epilogue(const FusionGroup& group, const Instruction& contraction) const {
    if (hlo::storage_bytes(c_[group.root].shape.element_type) <
        hlo::storage_bytes(contraction.shape.element_type))
      return false;
    int instructions = 0;
    for (InstructionId id : group.members) instructions += ops::instructions_per_element(c_[id]);
    return instructions > costs::longest_epilogue(target_, false);
  }

  // A loop op becomes the hero of its elementwise consumers: whatever depends on it must be
  // elementwise and of its shape.
  bool can_be_hero(InstructionId id, const FusionGroup& group) const {
    const Instruction& i = c_[id];
    if (group.hero != kNone) return false;
    switch (i.opcode) {
      case Opcode::kDot:
      case Opcode::kConvolution:
        if (is_long_epilogue(group, i)) return false;
        break;
      case Opcode::kReduce:
      case Opcode::kReduceWindow: break;
      default: return false;
    }
    std::vector<InstructionId> todo = users_[id];
    std::set<InstructionId> seen;
    while (!todo.empty()) {
      const InstructionId user = todo.back();
      todo.pop_back();
      if (!seen.insert(user).second) continue;
      if (!ops::is_elementwise(c_, c_[user]) || c_[user].shape.dimensions != i.shape.dimensions)
        return false;
      if (user != group.root) todo.insert(todo.end(), users_[user].begin(), users_[user].end());
    }
    return true;
  }

  const Computation& c_;
  const hlo::Module& module_;
  const Target& target_;
  std::vector<std::vector<InstructionId>> users_;
  FusionPlan plan_;
  // Views through which the dot of their group reads.
  std::vector<bool> behind_dot_;
  ViewsOfState views_of_state_;
  // Made of constants; and those that products make anew.
  std::vector<bool> known_, unpacked_;
};

}  // namespace

void FusionPlan::number_groups() {
  std::erase_if(groups, [](const FusionGroup& group) { return group.members.empty(); });
  for (size_t g = 0; g < groups.size(); ++g)
    for (InstructionId id : groups[g].members) group_of[id] = static_cast<int>(g);
}

FusionPlan plan_fusion(const Computation& computation, const hlo::Module& module,
                       const Target& target) {
  FusionPlan plan = GroupPlanner(computation, module, target).run();
  plan_row_tiles(computation, target, plan);
  return plan;
}

}  // namespace hlocc::transforms
