// The search for an order of steps, against all orders of small graphs.
#include <catch2/catch.hpp>
#include <numeric>

#include "planning/step_graph.h"
#include "support/budget.h"

namespace hlocc::planning {
namespace {

// A random graph of steps that each make one value from up to two earlier ones.
StepGraph random_graph(uint64_t seed, int steps) {
  const auto below = [&](uint64_t bound) {
    return static_cast<int>(((seed = seed * 6364136223846793005ull + 97) >> 33) % bound);
  };
  StepGraph graph;
  for (int s = 0; s < steps; ++s) {
    GraphStep step;
    graph.values.push_back({.bytes = 1 + below(9)});
    step.writes = {s};
    step.inside = below(4) == 0 ? below(6) : 0;
    for (int k = 0; k < 2 && s > 0; ++k) {
      const int value = below(static_cast<uint64_t>(s));
      if (std::ranges::find(step.reads, value) != step.reads.end()) continue;
      step.reads.push_back(value);
      step.before.push_back(value);
      graph.values[static_cast<size_t>(value)].readers.push_back(s);
      graph.steps[static_cast<size_t>(value)].after.push_back(s);
      if (below(2) == 0)
        step.savings.push_back(
            {value, s,
             std::min(graph.values[static_cast<size_t>(value)].bytes, graph.values.back().bytes)});
    }
    graph.steps.push_back(std::move(step));
  }
  graph.values.back().stays = true;
  return graph;
}

bool respects(const StepGraph& graph, const std::vector<int>& order) {
  std::vector<bool> done(order.size(), false);
  for (const int step : order) {
    for (const int other : graph.steps[static_cast<size_t>(step)].before)
      if (!done[static_cast<size_t>(other)]) return false;
    done[static_cast<size_t>(step)] = true;
  }
  return true;
}

TEST_CASE("without a budget for the search there is an order all the same") {
  Budget budget({.work = 10});
  budget.spend(6);
  const BudgetScope scope(&budget);
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const StepGraph graph = random_graph(seed, 12);
    CHECK(respects(graph, find_order(graph).steps));
  }
}

TEST_CASE("the order found has the lowest peak of all orders") {
  for (uint64_t seed = 1; seed < 40; ++seed) {
    INFO("seed " << seed);
    const StepGraph graph = random_graph(seed, 7);
    std::vector<int> order(graph.steps.size());
    std::iota(order.begin(), order.end(), 0);
    int64_t best = peak_of(graph, order);
    do {
      if (respects(graph, order)) best = std::min(best, peak_of(graph, order));
    } while (std::ranges::next_permutation(order).found);
    const FoundOrder found = find_order(graph);
    CHECK(respects(graph, found.steps));
    CHECK(peak_of(graph, found.steps) == best);
    CHECK(found.is_exact);
    CHECK(found.bound == best);
  }
}

// Wider than the search looks: at each point the step after which least lives.
TEST_CASE("an order of a wide graph is not the one given, and lower") {
  StepGraph graph;
  // Large values first, each read by a step that leaves little.
  constexpr int kPairs = 200;
  for (int s = 0; s < 2 * kPairs; ++s) {
    GraphStep step;
    graph.values.push_back({.bytes = s < kPairs ? 100 + s % 7 : 1});
    step.writes = {s};
    if (s >= kPairs) {
      const int from = s - kPairs;
      step.reads = step.before = {from};
      graph.values[static_cast<size_t>(from)].readers.push_back(s);
      graph.steps[static_cast<size_t>(from)].after.push_back(s);
      graph.values.back().stays = true;
    }
    graph.steps.push_back(std::move(step));
  }
  const std::vector<int> found = find_order(graph).steps;
  CHECK(respects(graph, found));
  CHECK(peak_of(graph, found) < 2 * 106 + kPairs);
}

TEST_CASE("a long chain and a wide graph are ordered in bounded effort") {
  const StepGraph graph = random_graph(5, 700);
  const FoundOrder found = find_order(graph);
  CHECK(found.steps.size() == 700);
  CHECK(respects(graph, found.steps));
  CHECK_FALSE(found.is_exact);
  CHECK(found.bound <= peak_of(graph, found.steps));
}

}  // namespace
}  // namespace hlocc::planning
