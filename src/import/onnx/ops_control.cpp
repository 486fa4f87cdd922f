// If, Loop and Scan. A branch whose condition is known stands in the node's place; other graphs
// become computations that take what they read from outside as a tuple.
#include <algorithm>

#include "import/onnx/body.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

Status require_results(const Op& op, const Graph& graph, size_t more = 0) {
  if (graph.outputs.size() == static_cast<size_t>(op.outputs()) + more) return {};
  return op.wrong(cat(graph.path, " gives ", graph.outputs.size(), " values"));
}

Status require_condition(const Op& op, int i) {
  if (op.b.is_one_truth(op.value(i))) return {};
  return op.wrong("a condition that is no one truth value");
}

// The branch that is taken, in the computation that there is.
Status run_branch(const Op& op, const Graph& graph) {
  HLOCC_TRY(require_results(op, graph));
  Scope inside(op.session(), op.scope().opsets(), &op.scope());
  inside.attributes = op.scope().attributes;
  HLOCC_TRY(enter_body(op, inside, graph));
  for (int i = 0; i < op.outputs(); ++i) {
    const Value* found = inside.find(graph.outputs[i].name);
    if (found == nullptr) return op.wrong(cat(graph.outputs[i].path, " is given by nothing"));
    if (op.wants(i)) op.scope().set(op.node().outputs[i], *found);
  }
  return {};
}

// A branch as a computation from what it reads outside to the tuple of its results.
Result<ComputationId> branch_of(const Op& op, const Graph& graph, const Captures& captures,
                                const char* name) {
  Builder& b = op.b;
  HLOCC_TRY(require_results(op, graph));
  const InComputation now(op.session());
  b.begin(name);
  Scope inside(op.session(), op.scope().opsets(), &op.scope());
  inside.attributes = op.scope().attributes;
  captures.bind(b, inside, b.parameter(0, Shape::make_tuple(captures.shapes), "outside"), 0);
  HLOCC_TRY(enter_body(op, inside, graph));
  HLOCC_TRY_ASSIGN(const std::vector<InstructionId> results, results_of(op, inside, graph));
  const InstructionId root = b.tuple(results);
  if (b.failure()) return *b.failure();
  return b.end(root);
}

}  // namespace

Status if_else(const Op& op) {
  Builder& b = op.b;
  const Graph *yes = op.graph("then_branch"), *no = op.graph("else_branch");
  if (yes == nullptr || no == nullptr) return op.wrong("lacks a branch");
  HLOCC_TRY(require_condition(op, 0));
  if (const std::optional<Literal> known = op.known(0))
    return run_branch(op, hlo::integer_at(*known, 0) != 0 ? *yes : *no);
  const Captures captures = captures_of(op, {yes, no});
  const InstructionId outside = b.tuple(captures.values);
  HLOCC_TRY_ASSIGN(const ComputationId first, branch_of(op, *yes, captures, "then"));
  HLOCC_TRY_ASSIGN(const ComputationId second, branch_of(op, *no, captures, "else"));
  const InstructionId done = b.add(
      Opcode::kConditional, {b.reshape(op.value(0), {}), outside, outside}, {}, {first, second});
  for (int i = 0; i < op.outputs(); ++i) op.set(i, b.element(done, i));
  return {};
}

namespace {

// Of Loop: how often at most (none: as long as the condition holds), and whether the body's
// condition ends it.
struct Iterations {
  std::optional<int64_t> most;
  bool starts = true;
  std::optional<InstructionId> condition;
};

Result<Iterations> iterations_of(const Op& op) {
  Iterations out;
  if (op.has(0)) {
    HLOCC_TRY_ASSIGN(out.most, op.one_integer(0, "the trip count"));
    if (*out.most == INT64_MAX) out.most.reset();
  }
  if (!op.has(1)) return out;
  HLOCC_TRY(require_condition(op, 1));
  if (const std::optional<Literal> known = op.known(1))
    out.starts = hlo::integer_at(*known, 0) != 0;
  else
    out.condition = op.b.reshape(op.value(1), {});
  return out;
}

}  // namespace

Status loop(const Op& op) {
  const Graph* body = op.graph("body");
  if (body == nullptr) return op.wrong("lacks a body");
  const size_t carried = static_cast<size_t>(std::max(op.inputs() - 2, 0));
  if (body->inputs.size() != carried + 2 || body->outputs.size() < carried + 1 ||
      static_cast<size_t>(op.outputs()) != body->outputs.size() - 1)
    return op.wrong(cat(body->path, " takes ", body->inputs.size(), " values and gives ",
                        body->outputs.size()));
  HLOCC_TRY_ASSIGN(const Iterations iterations, iterations_of(op));
  return run_loop(op, *body, {iterations.most, iterations.starts, iterations.condition, carried});
}

Status scan(const Op& op) {
  const Graph* body = op.graph("body");
  const int64_t scanned = op.integer("num_scan_inputs");
  if (body == nullptr || scanned < 1 || scanned > op.inputs())
    return op.wrong("lacks a body, or scanned operands");
  return run_scan(op, *body, scanned);
}

}  // namespace hlocc::import::onnx::ops
