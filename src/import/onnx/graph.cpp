// See graph.h.
#include "import/onnx/graph.h"

#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

struct OpRow {
  const char *domain, *name;
  int64_t first_opset;
  int least_inputs, most_inputs, most_outputs;
  TranslateOp translate;
};
constexpr int kAny = 1 << 20;
constexpr OpRow rows[] = {
#define HLOCC_ONNX_OP(domain, name, first, least, most, results, function) \
  {domain, name, first, least, most, results, ops::function},
#include "import/onnx/ops.def"
};

// Operators that have no place in HLO, and why.
struct RefusedRow {
  const char *name, *why;
};
constexpr RefusedRow refused[] = {
#define HLOCC_ONNX_REFUSED(name, why) {name, why},
#include "import/onnx/ops.def"
};

const OpRow* row_of(const Node& node) {
  for (const OpRow& row : rows)
    if (node.domain == row.domain && node.op == row.name) return &row;
  return nullptr;
}

Diagnostic not_read(const Op& op) {
  const Node& node = op.node();
  for (const RefusedRow& row : refused)
    if (node.domain.empty() && node.op == row.name) return op.unsupported(row.why);
  return op.unsupported("the operator is not read")
      .note(
          "docs/formats.md has those that are; an exporter that writes it as these helps, or as "
          "a function of the model's own");
}

Status check_counts(const Op& op, const OpRow& row) {
  const int inputs = op.inputs();
  bool lacks = inputs > row.most_inputs;
  for (int i = 0; i < row.least_inputs && !lacks; ++i) lacks = !op.has(i);
  if (lacks) return op.wrong(cat("has ", inputs, " operands, or lacks one"));
  if (op.outputs() > row.most_outputs)
    return op.wrong(cat("has ", op.outputs(), " results, not ", row.most_outputs));
  return {};
}

}  // namespace

std::string name_of(const Node& node) {
  return node.domain.empty() ? node.op : cat(node.op, " of ", node.domain);
}

const Value* Scope::find(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_)
    if (const auto found = scope->values_.find(name); found != scope->values_.end())
      return &found->second;
  return nullptr;
}

std::optional<Literal> Scope::known(const std::string& name) {
  const Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->known) return found->known;
  if (found->tensor == nullptr && found->sparse == nullptr) return std::nullopt;
  Result<Literal> literal = found->tensor != nullptr
                                ? literal_of_tensor(*found->tensor, session_.external)
                                : literal_of_sparse(*found->sparse, session_.external);
  if (!literal) return session_.b.fail(std::move(literal).error()), std::nullopt;
  // Where it stands, so that it is read once.
  for (Scope* scope = this; scope != nullptr; scope = scope->outer_)
    if (const auto at = scope->values_.find(name); at != scope->values_.end()) {
      at->second.known = *literal;
      break;
    }
  return std::move(*literal);
}

InstructionId Scope::value(const std::string& name) {
  Builder& b = session_.b;
  const Value* found = find(name);
  if (found != nullptr && found->id != hlo::kNone && found->computation == session_.computation)
    return found->id;
  const std::optional<Literal> literal = known(name);
  if (!literal) {
    b.fail(error(DiagnosticKind::kUnsupported,
                 cat("\"", name, "\" is a value that is not at hand here")));
    return 0;
  }
  const InstructionId id = b.constant(*literal);
  values_[name] = {.id = id, .computation = session_.computation, .known = literal};
  return id;
}

void Scope::set(const std::string& name, InstructionId id) {
  Builder& b = session_.b;
  Value value{.id = id, .computation = session_.computation, .known = b.known(id)};
  if (value.known && !b.is_constant(id)) value.id = b.constant(*value.known);
  values_[name] = std::move(value);
}

Status Scope::check_node(const Node& node) {
  const auto wrong = [&](const std::string& what) {
    return error(DiagnosticKind::kStructure, cat(node.path, " (", name_of(node), ") ", what));
  };
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (!node.inputs[i].empty() && !has(node.inputs[i]))
      return wrong(
          cat("reads input[", i, "] \"", node.inputs[i], "\", which nothing before it gives"));
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (!node.outputs[i].empty() && values_.contains(node.outputs[i]))
      return wrong(
          cat("gives output[", i, "] \"", node.outputs[i], "\", which has a value already"));
  return {};
}

// A function of the model's own: its nodes stand in the node's place.
Status Scope::call(const Node& node, const Function& function) {
  const Op op(*this, node);
  if (session_.depth >= kMostNestedGraphs)
    return op.unsupported(cat("more than ", kMostNestedGraphs, " functions, one inside another"));
  if (node.inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size())
    return op.wrong("has more operands or results than the function");
  std::map<std::string, const Attribute*> given;
  for (const Attribute& one : function.defaults) given[one.name] = &one;
  for (const Attribute& one : node.attributes)
    if (const Attribute* found = op.attribute(one.name.c_str())) given[one.name] = found;
  Scope inside(session_, function.opsets, nullptr);
  inside.attributes = &given;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (!node.inputs[i].empty()) inside.set(function.inputs[i], *find(node.inputs[i]));
  ++session_.depth;
  HLOCC_TRY(inside.run(function.nodes));
  --session_.depth;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    const Value* result = inside.find(function.outputs[i]);
    if (result == nullptr)
      return op.wrong(cat("nothing gives the function's output \"", function.outputs[i], "\""));
    set(node.outputs[i], *result);
  }
  return {};
}

Status Scope::run_node(const Node& node) {
  HLOCC_TRY(check_node(node));
  const OpRow* row = row_of(node);
  if (row == nullptr)
    for (const Function& function : session_.model.functions)
      if (function.name == node.op && function.domain == node.domain &&
          function.overload == node.overload)
        return call(node, function);
  const Op op(*this, node);
  if (row == nullptr) return not_read(op);
  if (op.opset() < row->first_opset)
    return op.unsupported(cat("versions before opset ", row->first_opset, " are not read"))
        .note("onnx.version_converter writes a newer version");
  HLOCC_TRY(check_counts(op, *row));
  Builder& b = session_.b;
  b.set_metadata({.op_type = node.op, .op_name = op.layer()});
  Status status = row->translate(op);
  if (b.failure()) return op.located(*b.failure());
  if (!status) return op.located(std::move(status).error());
  if (const Attribute* unread = op.unread())
    return op.unsupported(
        cat("attribute \"", unread->name, "\" (", unread->path, ") is not read in this version"));
  return {};
}

Status Scope::enter(const Graph& graph) {
  for (const TensorData& tensor : graph.initializers) {
    if (tensor.name.empty())
      return error(DiagnosticKind::kFormat, cat(tensor.path, ".name is missing"));
    // What the caller gave overrules what an input would be otherwise.
    if (!values_.contains(tensor.name)) values_[tensor.name] = {.known = {}, .tensor = &tensor};
  }
  for (const SparseData& sparse : graph.sparse_initializers)
    if (!values_.contains(sparse.values.name))
      values_[sparse.values.name] = {.known = {}, .sparse = &sparse};
  return run(graph.nodes);
}

Status Scope::run(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) HLOCC_TRY(run_node(node));
  return {};
}

}  // namespace hlocc::import::onnx
