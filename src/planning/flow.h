// The nodes that liveness works on: one for each leaf step, and some for the edges of control.
#pragma once
#include <vector>

#include "planning/liveness.h"

namespace hlocc::planning {

struct Node {
  std::vector<Id> reads;
  std::vector<Id> writes;              // life begins here
  std::vector<int> next;               // nodes that may follow
  const kernel::Step* step = nullptr;  // the leaf step that it is, in the draft; null: an edge
};

struct Flow {
  std::vector<Node> nodes;  // in tree order
};

// Also fills the permits, moves and in-place pairs of `liveness`.
Flow build_flow(const Draft& draft, const Target& target, Liveness& liveness);

}  // namespace hlocc::planning
