// IF and WHILE: subgraphs as computations of their own, from a tuple to a tuple.
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

constexpr int kMostGraphs = 16;  // one inside another

struct Arguments {
  Shape shape;
  InstructionId tuple;
};

Arguments arguments_of(const Op& op, int first) {
  std::vector<Shape> shapes;
  std::vector<InstructionId> values;
  for (int i = first; i < op.inputs(); ++i) {
    values.push_back(op.value(i));
    shapes.push_back(op.b.shape(values.back()));
  }
  return {Shape::make_tuple(std::move(shapes)), op.b.tuple(std::move(values))};
}

Status require_arguments(const Op& op, int first) {
  for (int i = 0; i < op.inputs(); ++i) {
    if (!op.has(i)) return op.wrong("lacks an operand");
    if (op.in(i).type == kResourceType) return op.unsupported("handles of variables as operands");
  }
  if (op.inputs() < first) return op.wrong("lacks an operand");
  if (op.graph().session().depth >= kMostGraphs)
    return op.unsupported("subgraphs so deep inside one another");
  return {};
}

// The subgraph from the operands behind `first`; a condition gives its one truth value alone.
Result<ComputationId> computation_of(const Op& op, int32_t index, const Shape& arguments,
                                     const std::string& name, bool is_condition = false) {
  Builder& b = op.b;
  Session& session = op.graph().session();
  if (index < 0 || index >= static_cast<int64_t>(session.model.subgraphs.size()))
    return op.wrong(cat("names subgraph ", index, " of ", session.model.subgraphs.size()));
  GraphReader graph(session, index);
  const std::vector<int32_t>&inputs = graph.subgraph().inputs, &outputs = graph.subgraph().outputs;
  if (inputs.size() != arguments.tuple.size())
    return op.wrong(
        cat("subgraph ", index, " takes ", inputs.size(), " values, not ", arguments.tuple.size()));
  b.begin(name);
  const InstructionId in = b.parameter(0, arguments, "arguments");
  for (size_t i = 0; i < inputs.size(); ++i)
    graph.set_value(inputs[i], b.element(in, static_cast<int64_t>(i)));
  ++session.depth;
  HLOCC_TRY(graph.run());
  --session.depth;
  std::vector<InstructionId> results;
  for (const int32_t output : outputs) {
    if (!graph.has_value(output) && !graph.tensor(output).is_constant)
      return op.wrong(
          cat("nothing gives output \"", graph.tensor(output).name, "\" of subgraph ", index));
    results.push_back(graph.value(output));
  }
  if (b.failure()) return *b.failure();
  if (!is_condition) return b.end(b.tuple(std::move(results)));
  if (results.size() != 1 || !b.is_one_truth(results[0]))
    return op.wrong("a condition that gives no one truth value");
  return b.end(b.reshape(results[0], {}));
}

Status set_all(const Op& op, InstructionId tuple) {
  if (op.b.failure()) return {};
  const auto count = static_cast<int>(op.b.shape(tuple).tuple.size());
  if (count != op.outputs()) return op.wrong(cat("gives ", count, " values"));
  for (int i = 0; i < count; ++i) HLOCC_TRY(op.set(op.b.element(tuple, i), i));
  return {};
}

}  // namespace

Status if_else(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_arguments(op, 1));
  if (!b.is_one_truth(op.value(0))) return op.wrong("a condition that is no one truth value");
  const InstructionId which = b.reshape(op.value(0), {});
  const Arguments arguments = arguments_of(op, 1);
  if (b.failure()) return {};
  const auto branch = [&](Field field, const char* name) {
    return computation_of(op, op.options.number<int32_t>(field), arguments.shape, name);
  };
  HLOCC_TRY_ASSIGN(const ComputationId yes, branch(schema::IfOptions::then_subgraph, "then"));
  HLOCC_TRY_ASSIGN(const ComputationId no, branch(schema::IfOptions::else_subgraph, "else"));
  return set_all(
      op, b.add(Opcode::kConditional, {which, arguments.tuple, arguments.tuple}, {}, {yes, no}));
}

Status while_loop(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_arguments(op, 0));
  const Arguments arguments = arguments_of(op, 0);
  if (b.failure()) return {};
  const auto subgraph = [&](Field field) { return op.options.number<int32_t>(field); };
  HLOCC_TRY_ASSIGN(
      const ComputationId body,
      computation_of(op, subgraph(schema::WhileOptions::body_subgraph), arguments.shape, "body"));
  HLOCC_TRY_ASSIGN(const ComputationId condition,
                   computation_of(op, subgraph(schema::WhileOptions::cond_subgraph),
                                  arguments.shape, "condition", true));
  return set_all(op, b.add(Opcode::kWhile, {arguments.tuple}, {}, {body, condition}));
}

}  // namespace hlocc::import::tflite::ops
