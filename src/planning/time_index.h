// The times that the members of a block take, so that who is alive together with a value is found
// without asking all of them: a search tree over intervals (a treap) in the order of their
// beginnings, in which each node knows the last end below it.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "planning/liveness.h"

namespace hlocc::planning {

// The nodes of many trees.
class TimeIndex {
 public:
  // A tree: its root, and how many intervals it holds.
  struct Tree {
    int root = -1;
    int size = 0;
  };

  void insert(Tree& tree, Interval interval, Id value);
  // The intervals of the smaller tree go into the larger one.
  Tree united(Tree a, Tree b);
  // True if `visit(value)` is, for one of the intervals in the tree that meet this one.
  template <typename Visit>
  bool any_meeting(Tree tree, Interval interval, const Visit& visit) const {
    return any_below(tree.root, interval, visit);
  }

 private:
  struct Node {
    Interval interval;
    Id value;
    uint32_t priority;
    int last_end;  // of all intervals in this subtree
    int left = -1, right = -1;
  };

  Node& node(int index) { return nodes_[static_cast<size_t>(index)]; }
  const Node& node(int index) const { return nodes_[static_cast<size_t>(index)]; }
  void update(int index);
  // Those that begin before `begin`, and the others.
  std::pair<int, int> split(int root, int begin);
  int inserted(int root, int fresh);

  template <typename Visit>
  bool any_below(int root, Interval interval, const Visit& visit) const {
    for (; root >= 0 && node(root).last_end > interval.begin; root = node(root).right) {
      if (any_below(node(root).left, interval, visit)) return true;
      const Interval& mine = node(root).interval;
      if (mine.begin >= interval.end) return false;
      if (mine.end > interval.begin && visit(node(root).value)) return true;
    }
    return false;
  }

  std::vector<Node> nodes_;
};

}  // namespace hlocc::planning
