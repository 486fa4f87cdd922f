// The search for an order. A set of steps that are done determines what is alive, so that orders
// differ only in the way from set to set: a best-first search over sets, lowest peak first, finds
// the best order. A step that needs no more than the peak so far and leaves no more bytes than
// before is taken at once, because nothing is gained by waiting; that makes chains and most real
// networks cheap. Where the effort runs out, a greedy order is compared instead; the peak that the
// search had come to is then a bound: no order has a lower one.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "planning/step_graph.h"
#include "support/budget.h"

namespace hlocc::planning {
namespace {

using Set = std::vector<uint64_t>;  // steps that are done

bool holds(const Set& set, int step) {
  return set[static_cast<size_t>(step) / 64] >> (step % 64) & 1;
}
void insert(Set& set, int step) {
  set[static_cast<size_t>(step) / 64] |= uint64_t{1} << (step % 64);
}

bool ready(const StepGraph& graph, const Set& done, int step) {
  if (holds(done, step)) return false;
  return std::ranges::all_of(graph.steps[static_cast<size_t>(step)].before,
                             [&](int other) { return holds(done, other); });
}

struct State {
  Set done;
  int64_t live = 0, peak = 0;
  int count = 0, step = -1, from = -1;  // the step that led here, and the state it led from
};

class OrderSearch {
 public:
  explicit OrderSearch(const StepGraph& graph)
      : graph_(graph), words_((graph.steps.size() + 63) / 64) {}

  // Of a step that is looked at.
  static constexpr int64_t kLookWork = 50;

  // None if the effort ran out, or the room for states.
  std::optional<std::vector<int>> run(int64_t limit) {
    add({Set(words_, 0), graph_.initial, graph_.initial});
    const int all = static_cast<int>(graph_.steps.size());
    for (int64_t effort = 0; !queue_.empty() && effort < limit && asked_ < kMostAsked;) {
      const int here = queue_.top().second;
      queue_.pop();
      bound_ = states_[static_cast<size_t>(here)].peak;
      if (states_[static_cast<size_t>(here)].count == all) return trace(here);
      if (!closed_.emplace(states_[static_cast<size_t>(here)].done, here).second) continue;
      const int64_t looked = expand(here);
      effort += looked;
      if (!may_search(kLookWork * looked) || !may_hold(0)) return {};
    }
    return {};
  }
  // Peaks are looked at from the lowest on.
  int64_t bound() const { return bound_; }

 private:
  using Key = std::tuple<int64_t, int, int>;  // peak, steps left, number
  // Words of states and readers of values: what a step that is looked at costs in wide graphs.
  static constexpr int64_t kMostAsked = 20'000'000;

  void add(State state) {
    const int number = static_cast<int>(states_.size());
    queue_.emplace(Key{state.peak, -state.count, number}, number);
    states_.push_back(std::move(state));
  }

  State after(int here, int step) {
    const State& state = states_[static_cast<size_t>(here)];
    asked_ += static_cast<int64_t>(words_);
    const StepBytes bytes = run_step(graph_, step, state.live, [&](int value) {
      const GraphValue& v = graph_.values[static_cast<size_t>(value)];
      asked_ += static_cast<int64_t>(v.readers.size());
      return !v.stays && std::ranges::all_of(v.readers, [&](int reader) {
        return reader == step || holds(state.done, reader);
      });
    });
    State next{state.done,      bytes.after, std::max(state.peak, bytes.during),
               state.count + 1, step,        here};
    insert(next.done, step);
    return next;
  }

  int64_t expand(int here) {
    std::vector<State> choices;
    const int all = static_cast<int>(graph_.steps.size());
    const State state = states_[static_cast<size_t>(here)];
    for (int step = 0; step < all; ++step) {
      if (!ready(graph_, state.done, step)) continue;
      State next = after(here, step);
      if (next.peak == state.peak && next.live <= state.live) {
        add(std::move(next));
        return all;
      }
      choices.push_back(std::move(next));
    }
    for (State& next : choices) add(std::move(next));
    return all;
  }

  std::vector<int> trace(int here) const {
    std::vector<int> order;
    for (; states_[static_cast<size_t>(here)].step >= 0;
         here = states_[static_cast<size_t>(here)].from)
      order.push_back(states_[static_cast<size_t>(here)].step);
    std::ranges::reverse(order);
    return order;
  }

  const StepGraph& graph_;
  size_t words_;
  int64_t asked_ = 0, bound_ = 0;
  std::vector<State> states_;
  std::map<Set, int> closed_;
  std::priority_queue<std::pair<Key, int>, std::vector<std::pair<Key, int>>, std::greater<>> queue_;
};

// How many of the steps that read a value are left.
class ReadersLeft {
 public:
  explicit ReadersLeft(const StepGraph& graph) : graph_(graph), done_(graph.steps.size(), false) {
    for (const GraphValue& value : graph.values)
      left_.push_back(static_cast<int>(value.readers.size()));
  }

  // What a step costs that is not done.
  StepBytes bytes(int step, int64_t live) const {
    return run_step(graph_, step, live, [&](int value) {
      return !graph_.values[static_cast<size_t>(value)].stays &&
             left_[static_cast<size_t>(value)] == 1;
    });
  }

  // The step is done; calls last(other) for each step that now is the only one left to read some
  // value.
  template <typename Last>
  void finish(int step, const Last& last) {
    done_[static_cast<size_t>(step)] = true;
    for (const int value : graph_.steps[static_cast<size_t>(step)].reads) {
      if (--left_[static_cast<size_t>(value)] != 1) continue;
      const std::vector<int>& readers = graph_.values[static_cast<size_t>(value)].readers;
      last(*std::ranges::find_if(readers,
                                 [&](int other) { return !done_[static_cast<size_t>(other)]; }));
    }
  }

 private:
  const StepGraph& graph_;
  std::vector<bool> done_;
  std::vector<int> left_;  // by value
};

// At each point the ready step with the lowest (peak, live bytes afterwards), the first given among
// equals. What a step adds to the live bytes changes only when another becomes the last reader of
// its operands, so that steps are kept in the order of what they add.
class Greedy {
 public:
  explicit Greedy(const StepGraph& graph)
      : graph_(graph), readers_(graph), adds_(graph.steps.size()) {}

  std::vector<int> run() {
    std::vector<int> waiting, order;
    for (size_t i = 0; i < graph_.steps.size(); ++i) {
      waiting.push_back(static_cast<int>(graph_.steps[i].before.size()));
      if (waiting.back() == 0) open(static_cast<int>(i));
    }
    int64_t live = graph_.initial, peak = live;
    while (!ready_.empty()) {
      const int step = lowest(peak - live);
      const StepBytes adds = *adds_[static_cast<size_t>(step)];
      peak = std::max(peak, live + adds.during);
      live += adds.after;
      close(step);
      order.push_back(step);
      readers_.finish(step, [&](int other) {
        if (!adds_[static_cast<size_t>(other)]) return;
        close(other);
        open(other);
      });
      for (const int next : graph_.steps[static_cast<size_t>(step)].after)
        if (--waiting[static_cast<size_t>(next)] == 0) open(next);
    }
    return order;
  }

 private:
  void open(int step) {
    const StepBytes adds = readers_.bytes(step, 0);
    ready_[adds.during].emplace(adds.after, step);
    adds_[static_cast<size_t>(step)] = adds;
  }
  void close(int step) {
    const StepBytes adds = *adds_[static_cast<size_t>(step)];
    const auto equals = ready_.find(adds.during);
    equals->second.erase({adds.after, step});
    if (equals->second.empty()) ready_.erase(equals);
    adds_[static_cast<size_t>(step)].reset();
  }
  // Of those that do not raise the peak, the one that leaves the fewest bytes; else the one that
  // raises it least.
  int lowest(int64_t room) const {
    std::pair<int64_t, int> best = *ready_.begin()->second.begin();
    for (auto equals = ready_.begin(); equals != ready_.end() && equals->first <= room; ++equals)
      best = std::min(best, *equals->second.begin());
    return best.second;
  }

  const StepGraph& graph_;
  ReadersLeft readers_;
  std::vector<std::optional<StepBytes>> adds_;  // by step that is ready
  // By the bytes that they add during the step: (bytes that they leave, step).
  std::map<int64_t, std::set<std::pair<int64_t, int>>> ready_;
};

}  // namespace

int64_t peak_of(const StepGraph& graph, const std::vector<int>& order) {
  ReadersLeft readers(graph);
  int64_t live = graph.initial, peak = live;
  for (const int step : order) {
    const StepBytes bytes = readers.bytes(step, live);
    peak = std::max(peak, bytes.during);
    live = bytes.after;
    readers.finish(step, [](int) {});
  }
  return peak;
}

FoundOrder find_order(const StepGraph& graph) {
  std::vector<int> given(graph.steps.size());
  std::iota(given.begin(), given.end(), 0);
  constexpr int64_t kEffort = 1'500'000;  // steps looked at
  OrderSearch search(graph);
  std::optional<std::vector<int>> found = search.run(kEffort);
  FoundOrder out{.bound = search.bound(), .is_exact = found.has_value()};
  if (!found) found = Greedy(graph).run();
  out.steps = peak_of(graph, *found) < peak_of(graph, given) ? *std::move(found) : given;
  return out;
}

}  // namespace hlocc::planning
