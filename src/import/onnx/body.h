// Graphs inside nodes as computations: what they read outside, and loops over them.
#pragma once
#include "import/onnx/op.h"

namespace hlocc::import::onnx {

// What a graph reads of the graphs around it and is not known when the model is read: such values
// go into its computation as elements of a tuple.
struct Captures {
  std::vector<std::string> names;
  std::vector<InstructionId> values;
  std::vector<Shape> shapes;

  // Elements of `from`, from number `first` on, become the values of these names.
  void bind(Builder& b, Scope& inside, InstructionId from, int64_t first) const;
};
Captures captures_of(const Op& op, const std::vector<const Graph*>& graphs);

// Whether graphs may lie so deep in one another; then the graph's nodes.
Status enter_body(const Op& op, Scope& inside, const Graph& graph);
// The values of a graph's outputs.
Result<std::vector<InstructionId>> results_of(const Op& op, Scope& inside, const Graph& graph);

// What a loop begins with: the most iterations (none: as long as the condition holds), whether the
// condition holds before the first, where that is known, and how many values are carried.
struct LoopStart {
  std::optional<int64_t> most;
  bool starts = true;
  std::optional<InstructionId> condition;
  size_t carried = 0;
};
Status run_loop(const Op& op, const Graph& body, const LoopStart& start);
Status run_scan(const Op& op, const Graph& body, int64_t scanned);

}  // namespace hlocc::import::onnx
