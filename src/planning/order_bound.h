// What no plan of a program can beat, whatever the order of its steps and whatever the offsets: the
// bytes alive at the worst step of the order in which that is lowest. Values share bytes only where
// a step lets them, or where both hold the same, and then as many as they ever could; so an arena
// of that size is optimal. It looks at a program and not at its plan, and shares the search for an
// order with the planner, but none of what decides about places.
#pragma once
#include <optional>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::planning {

struct OrderBound {
  int64_t bytes = 0;
  // The searches ran to their ends: in some order no step has more alive.
  bool is_exact = true;
};

// None for steps that work with queues, whose order is given.
std::optional<OrderBound> order_bound(const kernel::Program& program, const Target& target);

}  // namespace hlocc::planning
