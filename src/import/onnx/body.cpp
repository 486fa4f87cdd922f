// See body.h: what a graph reads outside, and its way into a computation.
#include "import/onnx/body.h"

#include <set>

#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

// Names that a graph reads and does not give itself, in their order.
void find_free(const Graph& graph, std::set<std::string> own, std::vector<std::string>& out) {
  for (const ValueInfo& input : graph.inputs) own.insert(input.name);
  for (const TensorData& tensor : graph.initializers) own.insert(tensor.name);
  for (const SparseData& sparse : graph.sparse_initializers) own.insert(sparse.values.name);
  const auto read = [&](const std::string& name) {
    if (!own.contains(name)) out.push_back(name);
  };
  for (const Node& node : graph.nodes) {
    for (const std::string& input : node.inputs) read(input);
    for (const Attribute& attribute : node.attributes)
      if (attribute.graph) find_free(*attribute.graph, own, out);
    own.insert(node.outputs.begin(), node.outputs.end());
  }
  for (const ValueInfo& output : graph.outputs) read(output.name);
}

}  // namespace

void Captures::bind(Builder& b, Scope& inside, InstructionId from, int64_t first) const {
  for (size_t i = 0; i < names.size(); ++i)
    inside.set(names[i], b.element(from, first + static_cast<int64_t>(i)));
}

Captures captures_of(const Op& op, const std::vector<const Graph*>& graphs) {
  std::vector<std::string> names;
  for (const Graph* graph : graphs) find_free(*graph, {}, names);
  Captures out;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    const Value* value = op.scope().find(name);
    if (!seen.insert(name).second || value == nullptr) continue;
    if (value->known || value->id == hlo::kNone) continue;
    out.names.push_back(name);
    out.values.push_back(op.scope().value(name));
    out.shapes.push_back(op.b.shape(out.values.back()));
  }
  return out;
}

Status enter_body(const Op& op, Scope& inside, const Graph& graph) {
  Session& session = op.session();
  if (session.depth >= kMostNestedGraphs)
    return op.unsupported(cat("more than ", kMostNestedGraphs, " graphs, one inside another"));
  ++session.depth;
  HLOCC_TRY(inside.enter(graph));
  --session.depth;
  return {};
}

Result<std::vector<InstructionId>> results_of(const Op& op, Scope& inside, const Graph& graph) {
  std::vector<InstructionId> out;
  for (const ValueInfo& output : graph.outputs) {
    if (!inside.has(output.name))
      return op.wrong(cat(output.path, " (\"", output.name, "\") is given by nothing"));
    out.push_back(inside.value(output.name));
  }
  return out;
}

}  // namespace hlocc::import::onnx
