// Who waits for whom among the kernels of a computation, while groups grow together. The graph has
// a node, a unit, for every group and for every instruction without one. Units have places in an
// order in which users come behind what they use, so that a search for a path looks only at the
// units between its ends; joining two units moves only those between them.
#pragma once
#include <vector>

#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

class UnitOrder {
 public:
  using Unit = int;

  // `users`: of each instruction, control dependencies included. All outlive the order, and groups
  // keep their numbers.
  UnitOrder(const hlo::Computation& computation,
            const std::vector<std::vector<hlo::InstructionId>>& users, const FusionPlan& plan);

  // Whether there is such an order; nothing else may be asked if not.
  bool is_acyclic() const { return acyclic_; }

  // Groups are units by their number.
  Unit unit_of(hlo::InstructionId id) const;

  // True if a path leads from `from` to `to` through a third unit.
  bool leads_through_others(Unit from, Unit to);
  // True if one of `units` waits for `other` and does not wait for `reader`.
  bool any_waits(const std::vector<Unit>& units, Unit other, Unit reader);

  // To be called when the members of `from` have become members of `into`. No path led from one to
  // the other through a third unit.
  void joined(Unit into, Unit from);

 private:
  template <typename Visit>
  void for_each_user(Unit unit, const Visit& visit) const;
  void sort();
  // Marks all units that wait for one of todo_ and are not behind place `last`; those in todo_ are
  // marked already.
  void search(int last);
  bool mark(Unit unit);
  void start_search();

  const hlo::Computation& c_;
  const std::vector<std::vector<hlo::InstructionId>>& users_;
  const FusionPlan& plan_;
  int groups_;
  std::vector<int> place_;   // of a unit
  std::vector<Unit> order_;  // the unit at a place; kNone where one was
  bool acyclic_ = true;
  std::vector<int> mark_;  // of a unit: the last search that reached it
  int searches_ = 0;
  std::vector<Unit> todo_;
};

}  // namespace hlocc::transforms
