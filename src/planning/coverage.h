// How many bytes some ranges cover together while they come and go: a tree over the bytes between
// their ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlocc::planning {

class Coverage {
 public:
  // `ends`: of all ranges that will come; at least one.
  explicit Coverage(std::vector<int64_t> ends) : ends_(std::move(ends)) {
    std::ranges::sort(ends_);
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
    nodes_.resize(4 * ends_.size());
  }
  // `count`: 1 for a range that comes, -1 for one that goes.
  void change(int64_t from, int64_t to, int count) {
    if (from < to) change(0, 0, ends_.size() - 1, from, to, count);
  }
  int64_t bytes() const { return nodes_[0].covered; }

 private:
  struct Node {
    int count = 0;  // ranges that cover all of it
    int64_t covered = 0;
  };
  void change(size_t node, size_t low, size_t high, int64_t from, int64_t to, int count) {
    if (to <= ends_[low] || ends_[high] <= from) return;
    Node& here = nodes_[node];
    if (from <= ends_[low] && ends_[high] <= to) {
      here.count += count;
    } else {
      const size_t middle = (low + high) / 2;
      change(2 * node + 1, low, middle, from, to, count);
      change(2 * node + 2, middle, high, from, to, count);
    }
    if (here.count > 0)
      here.covered = ends_[high] - ends_[low];
    else
      here.covered =
          high - low == 1 ? 0 : nodes_[2 * node + 1].covered + nodes_[2 * node + 2].covered;
  }

  std::vector<int64_t> ends_;
  std::vector<Node> nodes_;
};

}  // namespace hlocc::planning
