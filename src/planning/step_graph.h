// One list of steps as a graph that the search for an order works on: who waits for whom, and how
// many bytes are alive before, during and after a step.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "planning/step_values.h"

namespace hlocc::planning {

struct GraphValue {
  int64_t bytes = 0;
  std::vector<int> readers;  // steps, each once
  bool stays = false;        // alive after the last step
};

struct GraphStep {
  std::vector<int> reads, writes;  // indices of values
  // Of (operand, result): bytes saved if the operand, which the step reads, dies in it, because the
  // result may lie over it.
  struct Saving {
    int operand, result;
    int64_t bytes;
  };
  std::vector<Saving> savings;
  int64_t inside = 0;  // bytes alive inside the step only: scratch, what the steps within need
                       // beyond their results
  // Of a graph for a bound: what the lists of steps inside it need beside what outlives the step,
  // which makes its results at their ends. -1: there are none.
  int64_t within = -1;
  std::vector<int> before;  // steps that must be done
  std::vector<int> after;   // steps that wait for it
};

struct StepGraph {
  std::vector<GraphValue> values;
  std::vector<GraphStep> steps;
  int64_t initial = 0;  // bytes alive before the first step
  // Counts what no plan can do without, for a bound (order_bound.h); else what plans will take.
  bool is_bound = false;
};

struct StepBytes {
  int64_t during = 0, after = 0;
};

// The same as run_step for a bound: every saving counts, and what dies in the step may be gone
// before the lists of steps inside it need most.
template <typename Dies>
StepBytes run_step_for_bound(const StepGraph& graph, int step, int64_t live, const Dies& dies) {
  const GraphStep& s = graph.steps[static_cast<size_t>(step)];
  int64_t written = 0, kept = 0, dying = 0, saved = 0;
  for (const int value : s.writes) {
    const GraphValue& v = graph.values[static_cast<size_t>(value)];
    written += v.bytes;
    if (v.stays || !v.readers.empty()) kept += v.bytes;
  }
  for (const int value : s.reads)
    if (dies(value)) dying += graph.values[static_cast<size_t>(value)].bytes;
  for (const GraphStep::Saving& saving : s.savings)
    if (dies(saving.operand)) saved += saving.bytes;
  const int64_t after = live - dying + kept;
  if (s.within >= 0) return {std::max({live, live - dying + s.within, after}), after};
  return {s.inside + std::max({live, live - dying + written, live + written - saved}), after};
}

// What running `step` does to the live bytes when `dies(value)` says which of the values that it
// reads is not read after it.
template <typename Dies>
StepBytes run_step(const StepGraph& graph, int step, int64_t live, const Dies& dies) {
  if (graph.is_bound) return run_step_for_bound(graph, step, live, dies);
  const GraphStep& s = graph.steps[static_cast<size_t>(step)];
  StepBytes bytes{live + s.inside, live};
  for (const int value : s.writes) {
    const GraphValue& v = graph.values[static_cast<size_t>(value)];
    bytes.during += v.bytes;
    if (v.stays || !v.readers.empty()) bytes.after += v.bytes;
  }
  for (const int value : s.reads)
    if (dies(value)) bytes.after -= graph.values[static_cast<size_t>(value)].bytes;
  // Each operand and each result takes part in one saving.
  std::unordered_set<int> used;
  for (const GraphStep::Saving& saving : s.savings) {
    if (used.contains(saving.operand) || used.contains(saving.result) || !dies(saving.operand))
      continue;
    bytes.during -= saving.bytes;
    if (s.savings.size() > 1) used.insert({saving.operand, saving.result});
  }
  return bytes;
}

// The highest number of live bytes when the steps run in this order.
int64_t peak_of(const StepGraph& graph, const std::vector<int>& order);

struct FoundOrder {
  // With the lowest peak that the effort finds; the given one (0, 1, 2, ...) if no other is better.
  std::vector<int> steps;
  // No order has a lower peak than `bound`. Exact: the search ran to its end, and one has that.
  int64_t bound = 0;
  bool is_exact = false;
};
FoundOrder find_order(const StepGraph& graph);

}  // namespace hlocc::planning
