// The backward analysis; see liveness.h.
#include "planning/liveness.h"

#include <algorithm>

#include "planning/flow.h"

namespace hlocc::planning {
namespace {

// A set of values as bits.
class Bits {
 public:
  explicit Bits(size_t size) : words_((size + 63) / 64, 0) {}
  void set(Id id) { words_[static_cast<size_t>(id) / 64] |= uint64_t{1} << (id % 64); }
  void reset(Id id) { words_[static_cast<size_t>(id) / 64] &= ~(uint64_t{1} << (id % 64)); }
  bool add(const Bits& other) {
    bool changed = false;
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t merged = words_[i] | other.words_[i];
      changed |= merged != words_[i];
      words_[i] = merged;
    }
    return changed;
  }
  template <typename Visit>
  void each(const Visit& visit) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(static_cast<Id>(i * 64 + static_cast<size_t>(__builtin_ctzll(word))));
  }

 private:
  std::vector<uint64_t> words_;
};

class Analysis {
 public:
  Analysis(const Flow& flow, size_t values)
      : flow_(flow), before_(flow.nodes.size(), Bits(values)), after_(before_) {}

  // Sweeps backward until nothing changes: twice, and once more for each depth of loops.
  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = flow_.nodes.size(); i-- > 0;) {
        const Node& node = flow_.nodes[i];
        for (const int next : node.next)
          changed |= after_[i].add(before_[static_cast<size_t>(next)]);
        Bits needed = after_[i];
        for (const Id id : node.writes) needed.reset(id);
        for (const Id id : node.reads) needed.set(id);
        changed |= before_[i].add(needed);
      }
    }
  }

  std::vector<Intervals> taken(size_t values) {
    std::vector<Intervals> result(values);
    for (size_t i = 0; i < flow_.nodes.size(); ++i) {
      for (const Id id : flow_.nodes[i].writes) {
        before_[i].set(id);
        after_[i].set(id);
      }
      mark(result, before_[i], static_cast<int>(2 * i));
      mark(result, after_[i], static_cast<int>(2 * i + 1));
    }
    return result;
  }

 private:
  static void mark(std::vector<Intervals>& result, const Bits& bits, int time) {
    bits.each([&](Id id) {
      Intervals& intervals = result[static_cast<size_t>(id)];
      if (!intervals.empty() && intervals.back().end == time)
        ++intervals.back().end;
      else
        intervals.push_back({time, time + 1});
    });
  }

  const Flow& flow_;
  std::vector<Bits> before_, after_;
};

}  // namespace

Liveness analyse(const Draft& draft, const Target& target) {
  Liveness liveness;
  const Flow flow = build_flow(draft, target, liveness);
  Analysis analysis(flow, draft.values.size());
  analysis.run();
  liveness.taken = analysis.taken(draft.values.size());
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
