// Paths between groups that grow together, beside a search that knows no order.
#include "transforms/fusion/unit_order.h"

#include <algorithm>
#include <random>
#include <set>

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using hlo::InstructionId;
using transforms::FusionPlan;
using transforms::UnitOrder;

// Sums of two earlier values each; `reach` says how far back the second one may lie.
Module random_sums(std::mt19937& dice, int count, int reach) {
  std::string text = "HloModule m\nENTRY e { v0 = f32[4] parameter(0)\n";
  for (int i = 1; i < count; ++i) {
    const int back = 1 + static_cast<int>(dice() % static_cast<unsigned>(std::min(reach, i)));
    text += cat(" v", i, " = f32[4] add(v", dice() % 3 == 0 ? dice() % i : i - back, ", v",
                i - back, ")\n");
  }
  return module_from(text + cat(" ROOT r = f32[4] negate(v", count - 1, ") }"));
}

// Every fifth instruction stands alone.
FusionPlan one_group_each(const hlo::Computation& c) {
  FusionPlan plan;
  for (InstructionId id = 0; id < static_cast<InstructionId>(c.instructions.size()); ++id) {
    plan.group_of.push_back(id % 5 == 0 ? hlo::kNone : static_cast<int>(plan.groups.size()));
    if (id % 5 != 0) plan.groups.push_back({id, hlo::kNone, {id}});
  }
  plan.duplicated.assign(c.instructions.size(), false);
  return plan;
}

class Paths {
 public:
  Paths(const hlo::Computation& c, const UnitOrder& order) : c_(c), order_(order) {}

  // Whether `to` waits for `from`; through a third unit, if the edge between them does not count.
  bool lead(UnitOrder::Unit from, UnitOrder::Unit to, bool through_others) const {
    std::set<UnitOrder::Unit> seen;
    const auto search = [&](const auto& self, UnitOrder::Unit unit) -> void {
      for (InstructionId id = 0; id < static_cast<InstructionId>(c_.instructions.size()); ++id)
        for (const InstructionId operand : c_[id].operands) {
          const UnitOrder::Unit user = order_.unit_of(id);
          const bool direct = through_others && unit == from && user == to;
          if (order_.unit_of(operand) == unit && user != unit && !direct &&
              seen.insert(user).second)
            self(self, user);
        }
    };
    search(search, from);
    return seen.contains(to);
  }

 private:
  const hlo::Computation& c_;
  const UnitOrder& order_;
};

TEST_CASE("paths between groups are those that a search finds, while groups are joined",
          "[transforms]") {
  std::mt19937 dice(7);
  int joins = 0, led = 0, waited = 0;
  for (int round = 0; round < 12; ++round) {
    const Module m = random_sums(dice, 30, round % 2 == 0 ? 3 : 20);
    const hlo::Computation& c = m.entry_computation();
    FusionPlan plan = one_group_each(c);
    const auto users = c.users();
    UnitOrder order(c, users, plan);
    const Paths paths(c, order);
    const auto any_unit = [&] {
      return order.unit_of(static_cast<InstructionId>(dice() % c.instructions.size()));
    };
    for (int turn = 0; turn < 40; ++turn) {
      const UnitOrder::Unit a = any_unit(), b = any_unit();
      if (a == b) continue;
      const bool leads = paths.lead(a, b, true);
      CHECK(order.leads_through_others(a, b) == leads);
      led += leads;
      std::vector<UnitOrder::Unit> some{any_unit(), any_unit()};
      std::erase_if(some, [&](UnitOrder::Unit unit) { return unit == a || unit == b; });
      const bool waits = std::ranges::any_of(some, [&](UnitOrder::Unit unit) {
        return paths.lead(a, unit, false) && !paths.lead(b, unit, false);
      });
      CHECK(order.any_waits(some, a, b) == waits);
      waited += waits;
      const int groups = static_cast<int>(plan.groups.size());
      if (leads || paths.lead(b, a, true) || a >= groups || b >= groups) continue;
      auto &into = plan.groups[a].members, &from = plan.groups[b].members;
      for (const InstructionId id : from) plan.group_of[id] = a;
      into.insert(into.end(), from.begin(), from.end());
      from.clear();
      order.joined(a, b);
      ++joins;
    }
  }
  CHECK(joins > 60);
  CHECK(led > 60);
  CHECK(waited > 20);
}

}  // namespace
}  // namespace hlocc::tests
