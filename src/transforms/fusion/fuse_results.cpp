// Joins two groups at a time, as long as a pair is found. What has to hold:
//
// No cycle. Let A and B be nodes of an acyclic graph of kernels, and M what they become. A cycle
// through M leaves it from A or B, passes at least one other node and enters it at A or B. From A
// to A or from B to B it was a cycle before; so it is one from A to B or from B to A through a
// third node, and `lie_around_another` rules those out. The edge between A and B itself lies inside
// M and is none.
//
// One index space. All results have the same dimensions, and what reads a result of the other
// group asks for it at the index of its own element, so that it is computed once and still in a
// register.
//
// Nothing becomes longer alive. An array that one of the two kernels may write over (state in
// place, a loop's variable) must not have a reader that waits for the other one, or a copy would
// take its place.
#include "transforms/fusion/fuse_results.h"

#include <algorithm>
#include <queue>
#include <set>

#include "costs/fusion.h"
#include "ops/op_cost.h"
#include "ops/reducer.h"
#include "ops/same_element.h"
#include "support/check.h"
#include "transforms/fusion/unit_order.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;

namespace {

// Lets lanes along the last dimension pass, and costs no more at one index than at another.
bool lets_lanes_pass(const Instruction& i) {
  if (hlo::info(i.opcode).family == hlo::Family::kElementwise) return true;
  switch (i.opcode) {
    case Opcode::kBroadcast:
    case Opcode::kSlice:
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kConstant: return true;
    default: return false;
  }
}

class Joiner {
 public:
  Joiner(const Computation& c, const hlo::Module& module, const Target& target, FusionPlan& plan)
      : c_(c),
        module_(module),
        target_(target),
        plan_(plan),
        users_(users_and_successors(c)),
        order_(c, users_, plan) {}

  void run() {
    // Control dependencies may lead around through a group.
    if (!order_.is_acyclic()) return;
    bool any = false;
    for (bool joined = true; joined; any |= joined) {
      joined = false;
      for (size_t g = 0; g < plan_.groups.size(); ++g)
        while (join_a_neighbour(static_cast<int>(g))) joined = true;
    }
    if (!any) return;
    plan_.number_groups();
    put_users_first();
  }

 private:
  static std::vector<std::vector<InstructionId>> users_and_successors(const Computation& c) {
    std::vector<std::vector<InstructionId>> users = c.users();
    for (InstructionId id = 0; id < static_cast<InstructionId>(c.instructions.size()); ++id)
      for (InstructionId before : c[id].control_predecessors) users[before].push_back(id);
    return users;
  }

  const FusionGroup& group(int g) const { return plan_.groups[g]; }
  const hlo::Shape& domain(int g) const { return c_[group(g).root].shape; }

  // --- who could join ---

  bool join_a_neighbour(int g) {
    if (!is_candidate(g)) return false;
    for (const int other : neighbours(g)) {
      if (!may_join(g, other)) continue;
      join(g, other);
      return true;
    }
    return false;
  }

  bool is_candidate(int g) const {
    const FusionGroup& it = group(g);
    if (it.members.empty() || it.schedule != hlo::Schedule::kPlain) return false;
    if (domain(g).element_count() < 2 || hlo::is_complex(domain(g).element_type)) return false;
    if (it.hero != kNone && !is_contraction(c_[it.hero]) && !is_plain_reduction(c_[it.hero]))
      return false;
    return std::all_of(it.members.begin(), it.members.end(), [&](InstructionId id) {
      return id == it.hero || lets_lanes_pass(c_[id]) || c_[id].opcode == Opcode::kReduce;
    });
  }

  static bool is_contraction(const Instruction& i) {
    return i.opcode == Opcode::kDot || i.opcode == Opcode::kConvolution;
  }
  bool is_plain_reduction(const Instruction& i) const {
    if (i.opcode != Opcode::kReduce || hlo::is_complex(i.shape.element_type)) return false;
    return ops::plain_reducer(module_.computations[i.called[0]]).has_value();
  }
  // Reductions that walk the same elements, of arrays whose reading they share.
  bool reduce_together(int a, int b) const {
    if (group(a).hero == kNone || group(b).hero == kNone) return false;
    const Instruction &x = c_[group(a).hero], &y = c_[group(b).hero];
    if (x.opcode != Opcode::kReduce || y.opcode != Opcode::kReduce) return false;
    const hlo::Shape &from = c_.operand(x, 0).shape, &other = c_.operand(y, 0).shape;
    if (from.dimensions != other.dimensions || x.get<hlo::DimensionsAttributes>().dimensions !=
                                                   y.get<hlo::DimensionsAttributes>().dimensions)
      return false;
    const std::set<InstructionId> left = externals_of(a), right = externals_of(b);
    return std::any_of(left.begin(), left.end(), [&](InstructionId id) {
      return right.count(id) > 0 && c_[id].shape.element_count() == from.element_count();
    });
  }

  // Groups that read what this one makes, then those that read large arrays that it reads.
  std::vector<int> neighbours(int g) const {
    std::vector<int> found;
    const auto note_readers = [&](InstructionId id) {
      int readers = 0;
      for (InstructionId user : users_[id]) {
        const int other = plan_.group_of[user];
        if (other == kNone || other == g ||
            std::find(found.begin(), found.end(), other) != found.end())
          continue;
        if (++readers <= costs::kMostReaders) found.push_back(other);
      }
    };
    for (InstructionId root : group(g).roots()) note_readers(root);
    for (InstructionId id : externals_of(g))
      if (is_worth_sharing(id, g)) note_readers(id);
    return found;
  }
  bool is_worth_sharing(InstructionId id, int g) const {
    return 2 * c_[id].shape.element_count() >= domain(g).element_count();
  }

  std::set<InstructionId> externals_of(int g) const {
    std::set<InstructionId> out;
    for (InstructionId id : group(g).members)
      for (InstructionId operand : c_[id].operands)
        if (plan_.group_of[operand] != g && !plan_.duplicated[operand]) out.insert(operand);
    return out;
  }

  // --- whether they may ---

  bool may_join(int a, int b) {
    if (!is_candidate(b) || domain(a).dimensions != domain(b).dimensions) return false;
    if (group(a).members.size() + group(b).members.size() > costs::kMostMembers) return false;
    if (group(a).roots().size() + group(b).roots().size() > costs::kMostResults) return false;
    const bool a_first = reads(b, a), b_first = reads(a, b);
    const bool reductions = reduce_together(a, b);
    if (group(a).hero != kNone && group(b).hero != kNone && !reductions) return false;
    if (!a_first && !b_first && !reductions && (group(a).hero != kNone || group(b).hero != kNone))
      return false;
    if (is_long_epilogue(a, b)) return false;
    if (!asks_in_place(b, a) || !asks_in_place(a, b)) return false;
    if (lie_around_another(a, b)) return false;
    return !keeps_alive(a, b) && !keeps_alive(b, a);
  }

  bool reads(int user, int producer) const {
    const std::set<InstructionId> externals = externals_of(user);
    return std::any_of(externals.begin(), externals.end(),
                       [&](InstructionId id) { return plan_.group_of[id] == producer; });
  }

  // See fuse_groups.cpp: a tile of results would get the epilogue's code over and over. Where flash
  // is costly, a pass over memory costs less than that.
  bool is_long_epilogue(int a, int b) const {
    const auto has_tiles = [&](int g) {
      return group(g).hero != kNone && is_contraction(c_[group(g).hero]);
    };
    if (!has_tiles(a) && !has_tiles(b)) return false;
    int instructions = 0;
    for (const int g : {a, b})
      for (InstructionId id : group(g).members)
        if (id != group(g).hero) instructions += ops::instructions_per_element(c_[id]);
    return instructions > costs::longest_epilogue(target_, true);
  }

  // True if all that depends on the producer inside `user` is elementwise, and so of the domain's
  // dimensions.
  bool asks_in_place(int user, int producer) const {
    std::set<InstructionId> behind;
    for (InstructionId id : group(user).members) {
      const auto depends = [&](InstructionId operand) {
        return plan_.group_of[operand] == producer || behind.count(operand) > 0;
      };
      if (std::none_of(c_[id].operands.begin(), c_[id].operands.end(), depends)) continue;
      if (!ops::is_elementwise(c_, c_[id])) return false;
      behind.insert(id);
    }
    return true;
  }

  // True if a third kernel reads a result of one and the other waits for it.
  bool lie_around_another(int a, int b) {
    return order_.leads_through_others(a, b) || order_.leads_through_others(b, a);
  }

  // True if something reads an array that `reader` reads, waits for `other`, and does not wait for
  // `reader`.
  bool keeps_alive(int reader, int other) {
    std::vector<UnitOrder::Unit> readers;
    for (InstructionId id : externals_of(reader))
      for (InstructionId user : users_[id])
        if (const UnitOrder::Unit unit = order_.unit_of(user); unit != other)
          readers.push_back(unit);
    return order_.any_waits(readers, other, reader);
  }

  // --- joining ---

  void join(int into, int from) {
    FusionGroup &keeper = plan_.groups[into], &guest = plan_.groups[from];
    std::vector<InstructionId> roots = keeper.roots();
    const std::vector<InstructionId> others = guest.roots();
    roots.insert(roots.end(), others.begin(), others.end());
    keeper.members.insert(keeper.members.end(), guest.members.begin(), guest.members.end());
    std::sort(keeper.members.begin(), keeper.members.end());
    std::sort(roots.begin(), roots.end());
    for (InstructionId id : guest.members) plan_.group_of[id] = into;
    if (keeper.hero == kNone) keeper.hero = guest.hero;
    guest = {};
    std::erase_if(roots, [&](InstructionId id) { return !is_used_outside(id, into); });
    keeper.root = roots[0];
    keeper.more_roots.assign(roots.begin() + 1, roots.end());
    order_.joined(into, from);
  }
  bool is_used_outside(InstructionId id, int g) const {
    if (c_.root == id) return true;
    return std::any_of(users_[id].begin(), users_[id].end(),
                       [&](InstructionId user) { return plan_.group_of[user] != g; });
  }

  // Fusions are built in this order: who reads a result comes before who makes it, later
  // instructions before earlier ones.
  void put_users_first() {
    const size_t groups = plan_.groups.size();
    const auto unit_of = [&](InstructionId id) {
      return plan_.group_of[id] == kNone ? groups + static_cast<size_t>(id)
                                         : static_cast<size_t>(plan_.group_of[id]);
    };
    std::vector<int> pending(groups + c_.instructions.size(), 0);
    const auto for_each_edge = [&](InstructionId user, const auto& visit) {
      for (const auto* before : {&c_[user].operands, &c_[user].control_predecessors})
        for (InstructionId id : *before)
          if (unit_of(id) != unit_of(user)) visit(unit_of(id), id);
    };
    const InstructionId count = static_cast<InstructionId>(c_.instructions.size());
    for (InstructionId id = 0; id < count; ++id)
      for_each_edge(id, [&](size_t unit, InstructionId) { ++pending[unit]; });
    std::priority_queue<std::pair<InstructionId, size_t>> ready;
    const auto key = [&](size_t unit, InstructionId id) {
      return std::pair(unit < groups ? plan_.groups[unit].root : id, unit);
    };
    for (InstructionId id = 0; id < count; ++id) {
      const size_t unit = unit_of(id);
      if (pending[unit] == 0 && (unit >= groups || plan_.groups[unit].root == id))
        ready.push(key(unit, id));
    }
    std::vector<FusionGroup> ordered;
    while (!ready.empty()) {
      const auto [id, unit] = ready.top();
      ready.pop();
      const std::vector<InstructionId> members =
          unit < groups ? plan_.groups[unit].members : std::vector<InstructionId>{id};
      for (InstructionId member : members)
        for_each_edge(member, [&](size_t before, InstructionId first) {
          if (--pending[before] == 0) ready.push(key(before, first));
        });
      if (unit < groups) ordered.push_back(std::move(plan_.groups[unit]));
    }
    HLOCC_CHECK(ordered.size() == groups, "joined groups depend on one another");
    plan_.groups = std::move(ordered);
    plan_.number_groups();
  }

  const Computation& c_;
  const hlo::Module& module_;
  const Target& target_;
  FusionPlan& plan_;
  const std::vector<std::vector<InstructionId>> users_;
  UnitOrder order_;
};

}  // namespace

void join_groups(const Computation& computation, const hlo::Module& module, const Target& target,
                 FusionPlan& plan) {
  Joiner(computation, module, target, plan).run();
}

}  // namespace hlocc::transforms
