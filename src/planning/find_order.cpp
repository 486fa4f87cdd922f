// The search for an order. A set of steps that are done determines what is alive, so that orders
// differ only in the way from set to set: a best-first search over sets, lowest peak first, finds
// the best order. A step that needs no more than the peak so far and leaves no more bytes than
// before is taken at once, because nothing is gained by waiting; that makes chains and most real
// networks cheap. Where the effort runs out, a greedy order is compared instead.
#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
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

  // Empty if the effort ran out.
  std::vector<int> run(int64_t limit) {
    add({Set(words_, 0), graph_.initial, graph_.initial});
    const int all = static_cast<int>(graph_.steps.size());
    for (int64_t effort = 0; !queue_.empty() && effort < limit;) {
      const int here = queue_.top().second;
      queue_.pop();
      if (states_[static_cast<size_t>(here)].count == all) return trace(here);
      if (!closed_.emplace(states_[static_cast<size_t>(here)].done, here).second) continue;
      const int64_t looked = expand(here);
      effort += looked;
      if (!may_search(kLookWork * looked) || !may_hold(0)) return {};
    }
    return {};
  }

 private:
  using Key = std::tuple<int64_t, int, int>;  // peak, steps left, number

  void add(State state) {
    const int number = static_cast<int>(states_.size());
    queue_.emplace(Key{state.peak, -state.count, number}, number);
    states_.push_back(std::move(state));
  }

  State after(int here, int step) const {
    const State& state = states_[static_cast<size_t>(here)];
    const StepBytes bytes =
        run_step(graph_, step, state.live, [&](int other) { return holds(state.done, other); });
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
  std::vector<State> states_;
  std::map<Set, int> closed_;
  std::priority_queue<std::pair<Key, int>, std::vector<std::pair<Key, int>>, std::greater<>> queue_;
};

// At each point the ready step with the lowest (peak, live bytes afterwards), the first given among
// equals.
std::vector<int> greedy(const StepGraph& graph) {
  const int all = static_cast<int>(graph.steps.size());
  Set done((graph.steps.size() + 63) / 64, 0);
  std::vector<int> order, waiting(graph.steps.size()), open;
  for (int step = 0; step < all; ++step) {
    waiting[static_cast<size_t>(step)] =
        static_cast<int>(graph.steps[static_cast<size_t>(step)].before.size());
    if (waiting[static_cast<size_t>(step)] == 0) open.push_back(step);
  }
  int64_t live = graph.initial, peak = live;
  while (!open.empty()) {
    std::vector<std::tuple<int64_t, int64_t, int>> ranks;
    for (const int step : open) {
      const StepBytes bytes =
          run_step(graph, step, live, [&](int other) { return holds(done, other); });
      ranks.emplace_back(std::max(bytes.during, peak), bytes.after, step);
    }
    int step = 0;
    std::tie(peak, live, step) = *std::ranges::min_element(ranks);
    std::erase(open, step);
    order.push_back(step);
    insert(done, step);
    for (const int next : graph.steps[static_cast<size_t>(step)].after)
      if (--waiting[static_cast<size_t>(next)] == 0) open.push_back(next);
  }
  return order;
}

}  // namespace

int64_t peak_of(const StepGraph& graph, const std::vector<int>& order) {
  std::vector<bool> done(graph.steps.size(), false);
  int64_t live = graph.initial, peak = live;
  for (const int step : order) {
    const StepBytes bytes =
        run_step(graph, step, live, [&](int other) { return done[static_cast<size_t>(other)]; });
    peak = std::max(peak, bytes.during);
    live = bytes.after;
    done[static_cast<size_t>(step)] = true;
  }
  return peak;
}

std::vector<int> find_order(const StepGraph& graph) {
  std::vector<int> given(graph.steps.size());
  std::iota(given.begin(), given.end(), 0);
  constexpr int64_t kEffort = 1'500'000;  // steps looked at
  std::vector<int> found = OrderSearch(graph).run(kEffort);
  if (found.empty()) found = greedy(graph);
  return peak_of(graph, found) < peak_of(graph, given) ? found : given;
}

}  // namespace hlocc::planning
