// The backward analysis; see liveness.h.
#include "planning/liveness.h"

#include <algorithm>

#include "planning/flow.h"

namespace hlocc::planning {
namespace {

// Values, to be changed and walked through in the time that it takes to name them.
class ValueSet {
 public:
  explicit ValueSet(size_t values) : place_(values, -1) {}
  bool contains(Id id) const { return place_[static_cast<size_t>(id)] >= 0; }
  const std::vector<Id>& ids() const { return ids_; }
  bool insert(Id id) {
    if (contains(id)) return false;
    place_[static_cast<size_t>(id)] = static_cast<int>(ids_.size());
    ids_.push_back(id);
    return true;
  }
  void erase(Id id) {
    if (!contains(id)) return;
    const int place = place_[static_cast<size_t>(id)];
    const Id last = ids_.back();
    ids_[static_cast<size_t>(place)] = last;
    place_[static_cast<size_t>(last)] = place;
    place_[static_cast<size_t>(id)] = -1;
    ids_.pop_back();
  }
  void clear() {
    for (const Id id : ids_) place_[static_cast<size_t>(id)] = -1;
    ids_.clear();
  }

 private:
  std::vector<Id> ids_;
  std::vector<int> place_;  // by value: where it stands in ids_, or -1
};

// Sweeps backward over the nodes with what is alive at one of them. What is alive at nodes that
// others than the one before lead to is kept until those were seen; at the heads of loops, from
// sweep to sweep.
class Analysis {
 public:
  Analysis(const Flow& flow, size_t values)
      : flow_(flow),
        alive_(values),
        open_(values),
        end_(values, 0),
        kept_(flow.nodes.size()),
        first_user_(flow.nodes.size(), kNobody),
        is_head_(flow.nodes.size(), false),
        taken_(values) {
    for (size_t i = flow.nodes.size(); i-- > 0;) {
      if (goes_on(i)) continue;
      for (const int next : flow.nodes[i].next) {
        first_user_[static_cast<size_t>(next)] = static_cast<int>(i);
        if (next <= static_cast<int>(i)) is_head_[static_cast<size_t>(next)] = true;
      }
    }
  }

  std::vector<Intervals> run() {
    // Until nothing changes: once, and once more for each depth of loops.
    while (sweep(false)) {
    }
    sweep(true);
    for (const Id id : open_.ids()) close(id, 0);
    for (Intervals& intervals : taken_) std::ranges::reverse(intervals);
    return std::move(taken_);
  }

 private:
  static constexpr int kNobody = -1;

  // True if control goes from node i to the one behind it and nowhere else.
  bool goes_on(size_t i) const {
    const std::vector<int>& next = flow_.nodes[i].next;
    return next.size() == 1 && next[0] == static_cast<int>(i) + 1;
  }

  // True if more is alive at the head of a loop than the sweep before this one found.
  bool sweep(bool record) {
    bool changed = false;
    alive_.clear();
    for (size_t i = flow_.nodes.size(); i-- > 0;) {
      const Node& node = flow_.nodes[i];
      if (!goes_on(i)) gather(i);
      if (record) record_times(i);
      for (const Id id : node.writes) alive_.erase(id);
      for (const Id id : node.reads) alive_.insert(id);
      if (first_user_[i] == kNobody) continue;
      changed |= is_head_[i] && alive_.ids().size() != kept_[i].size();
      kept_[i] = alive_.ids();
    }
    return changed;
  }

  // What is alive behind a node that control may leave in several ways, or backward.
  void gather(size_t i) {
    alive_.clear();
    for (const int next : flow_.nodes[i].next) {
      std::vector<Id>& kept = kept_[static_cast<size_t>(next)];
      for (const Id id : kept) alive_.insert(id);
      const bool last = first_user_[static_cast<size_t>(next)] == static_cast<int>(i);
      if (last && !is_head_[static_cast<size_t>(next)]) std::vector<Id>().swap(kept);
    }
  }

  // Both times of node i; what is alive behind it is at hand.
  void record_times(size_t i) {
    const Node& node = flow_.nodes[i];
    const int time = static_cast<int>(2 * i + 1);
    // Whatever is written takes memory, though it may never be read.
    for (const Id id : node.writes) alive_.insert(id);
    const std::vector<Id> before =
        goes_on(i) ? flow_.nodes[i + 1].writes : std::vector<Id>(open_.ids());
    for (const Id id : before)
      if (open_.contains(id) && !alive_.contains(id)) {
        close(id, time + 1);
        open_.erase(id);
      }
    open(goes_on(i) ? node.writes : alive_.ids(), time + 1);
    open(node.reads, time);
  }
  void open(const std::vector<Id>& ids, int end) {
    for (const Id id : ids)
      if (open_.insert(id)) end_[static_cast<size_t>(id)] = end;
  }
  void close(Id id, int begin) {
    taken_[static_cast<size_t>(id)].push_back({begin, end_[static_cast<size_t>(id)]});
  }

  const Flow& flow_;
  ValueSet alive_;
  ValueSet open_;         // taken at the time last seen
  std::vector<int> end_;  // by value in open_: of the interval
  std::vector<std::vector<Id>> kept_;
  std::vector<int> first_user_;  // by node that is kept: the first of those that lead to it
  std::vector<bool> is_head_;    // of a loop
  std::vector<Intervals> taken_;
};

}  // namespace

Liveness analyse(const Draft& draft, const Target& target) {
  Liveness liveness;
  const Flow flow = build_flow(draft, target, liveness);
  liveness.taken = Analysis(flow, draft.values.size()).run();
  liveness.times = static_cast<int>(2 * flow.nodes.size());
  return liveness;
}

bool meet(const Intervals& a, const Intervals& b, const std::vector<int>& except) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end, b[j].end);
    for (int time = begin; time < end; ++time)
      if (std::ranges::find(except, time) == except.end()) return true;
    (a[i].end < b[j].end ? i : j)++;
  }
  return false;
}

}  // namespace hlocc::planning
