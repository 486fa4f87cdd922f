// See time_index.h. Priorities come from a fixed sequence: trees are the same on every machine.
#include "planning/time_index.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hlocc::planning {
namespace {

// Numbers without a pattern that insertions could follow.
uint32_t scattered(uint32_t number) {
  number = (number ^ number >> 16) * 0x7feb352du;
  number = (number ^ number >> 15) * 0x846ca68bu;
  return number ^ number >> 16;
}

}  // namespace

void TimeIndex::update(int index) {
  Node& it = node(index);
  it.last_end = it.interval.end;
  for (const int child : {it.left, it.right})
    if (child >= 0) it.last_end = std::max(it.last_end, node(child).last_end);
}

std::pair<int, int> TimeIndex::split(int root, int begin) {
  if (root < 0) return {-1, -1};
  if (node(root).interval.begin < begin) {
    const auto [left, right] = split(node(root).right, begin);
    node(root).right = left;
    update(root);
    return {root, right};
  }
  const auto [left, right] = split(node(root).left, begin);
  node(root).left = right;
  update(root);
  return {left, root};
}

int TimeIndex::inserted(int root, int fresh) {
  if (root < 0 || node(root).priority < node(fresh).priority) {
    std::tie(node(fresh).left, node(fresh).right) = split(root, node(fresh).interval.begin);
    update(fresh);
    return fresh;
  }
  int& child =
      node(fresh).interval.begin <= node(root).interval.begin ? node(root).left : node(root).right;
  child = inserted(child, fresh);
  update(root);
  return root;
}

void TimeIndex::insert(Tree& tree, Interval interval, Id value) {
  const int fresh = static_cast<int>(nodes_.size());
  nodes_.push_back({interval, value, scattered(static_cast<uint32_t>(fresh)), interval.end});
  tree.root = inserted(tree.root, fresh);
  ++tree.size;
}

TimeIndex::Tree TimeIndex::united(Tree a, Tree b) {
  if (a.size < b.size) std::swap(a, b);
  std::vector<int> open = {b.root};
  while (!open.empty()) {
    const int index = open.back();
    open.pop_back();
    if (index < 0) continue;
    open.insert(open.end(), {node(index).left, node(index).right});
    node(index).left = node(index).right = -1;
    update(index);
    a.root = inserted(a.root, index);
  }
  a.size += b.size;
  return a;
}

}  // namespace hlocc::planning
