// One list of steps as a graph that the search for an order works on: who waits for whom, and how
// many bytes are alive before, during and after a step.
#pragma once
#include <algorithm>
#include <cstdint>
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
  // Of (operand, result): bytes saved if the operand dies in this step, because the result may lie
  // over it.
  struct Saving {
    int operand, result;
    int64_t bytes;
  };
  std::vector<Saving> savings;
  int64_t inside = 0;       // bytes alive inside the step only: scratch, what the steps within need
                            // beyond their results
  std::vector<int> before;  // steps that must be done
  std::vector<int> after;   // steps that wait for it
};

struct StepGraph {
  std::vector<GraphValue> values;
  std::vector<GraphStep> steps;
  int64_t initial = 0;  // bytes alive before the first step
};

struct StepBytes {
  int64_t during = 0, after = 0;
};

// What running `step` does to the live bytes when `done(other step)` says who ran before it.
template <typename Done>
StepBytes run_step(const StepGraph& graph, int step, int64_t live, const Done& done) {
  const GraphStep& s = graph.steps[static_cast<size_t>(step)];
  const auto dies = [&](int value) {
    const GraphValue& v = graph.values[static_cast<size_t>(value)];
    if (v.stays) return false;
    for (const int reader : v.readers)
      if (reader != step && !done(reader)) return false;
    return true;
  };
  StepBytes bytes{live + s.inside, live};
  for (const int value : s.writes) {
    const GraphValue& v = graph.values[static_cast<size_t>(value)];
    bytes.during += v.bytes;
    if (v.stays || !v.readers.empty()) bytes.after += v.bytes;
  }
  for (const int value : s.reads)
    if (dies(value)) bytes.after -= graph.values[static_cast<size_t>(value)].bytes;
  // Each operand and each result takes part in one saving.
  std::vector<int> used;
  for (const GraphStep::Saving& saving : s.savings) {
    const auto taken = [&](int value) {
      return std::find(used.begin(), used.end(), value) != used.end();
    };
    if (taken(saving.operand) || taken(saving.result) || !dies(saving.operand)) continue;
    bytes.during -= saving.bytes;
    used.push_back(saving.operand);
    used.push_back(saving.result);
  }
  return bytes;
}

// The highest number of live bytes when the steps run in this order.
int64_t peak_of(const StepGraph& graph, const std::vector<int>& order);
// An order with the lowest peak that the effort finds; the given one (0, 1, 2, ...) if no other is
// better.
std::vector<int> find_order(const StepGraph& graph);

}  // namespace hlocc::planning
