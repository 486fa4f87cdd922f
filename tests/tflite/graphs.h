// TensorFlow Lite models of several subgraphs and operators, written table by table: branches,
// loops, variables and what they begin as. A graph holds its tensors by number, its results, and
// its operators.
#pragma once
#include "tflite/node.h"

namespace hlocc::tests {

struct GraphOp {
  std::string op;
  std::vector<int64_t> operands, results;
  FlatFields options = {};
};

struct GraphText {
  std::vector<NodeTensor> tensors;
  std::vector<int64_t> outputs;
  std::vector<GraphOp> ops;
};

// The tensors' names are letters: a, b, ..
inline FlatFields graph_fields(const GraphText& graph, std::vector<FlatFields>& codes,
                               std::vector<FlatFields>& buffers) {
  NodeParts parts;
  parts.buffers = buffers;
  for (const NodeTensor& tensor : graph.tensors)
    parts.add(tensor, std::string(1, static_cast<char>('a' + parts.tensors.size())));
  buffers = parts.buffers;
  std::vector<FlatFields> ops;
  for (const GraphOp& op : graph.ops) {
    using Fields = schema::Operator;
    ops.push_back({flat(Fields::opcode_index, static_cast<uint32_t>(codes.size())),
                   flat_list<int32_t>(Fields::inputs, op.operands),
                   flat_list<int32_t>(Fields::outputs, op.results),
                   flat_table(Fields::builtin_options, op.options)});
    codes.push_back(code_of({.op = op.op}));
  }
  return {flat_tables(schema::SubGraph::tensors, parts.tensors),
          flat_list<int32_t>(schema::SubGraph::inputs, parts.inputs),
          flat_list<int32_t>(schema::SubGraph::outputs, graph.outputs),
          flat_tables(schema::SubGraph::operators, std::move(ops))};
}

// `more` of the root.
inline std::string model_of_graphs(const std::vector<GraphText>& graphs,
                                   const FlatFields& more = {}) {
  std::vector<FlatFields> codes, buffers = {{}}, tables;
  for (const GraphText& graph : graphs) tables.push_back(graph_fields(graph, codes, buffers));
  FlatFields root = {flat(schema::Model::version, uint32_t{3}),
                     flat_tables(schema::Model::operator_codes, std::move(codes)),
                     flat_tables(schema::Model::subgraphs, std::move(tables)),
                     flat_tables(schema::Model::buffers, std::move(buffers))};
  root.insert(root.end(), more.begin(), more.end());
  return flat_file(root);
}

// What the first graph gives of its arguments' numbers, and of what variables hold, behind which
// stands what they hold afterwards; or "!" and what is said of the model.
inline std::string answer_of_graphs(const std::vector<GraphText>& graphs,
                                    const std::vector<Literal>& state = {}) {
  const std::string bytes = model_of_graphs(graphs);
  Result<hlo::Module> module = import::tflite::read_tflite(import::as_bytes(bytes), "file");
  if (!module) return "!" + module.error().message;
  std::vector<Literal> arguments;
  for (const NodeTensor& tensor : graphs[0].tensors)
    if (tensor.kind == NodeTensor::kArgument) arguments.push_back(tensor.value);
  arguments.insert(arguments.end(), state.begin(), state.end());
  for (size_t i = arguments.size(); i < module->entry_parameters.size(); ++i)
    arguments.push_back(Literal::zeros(module->entry_parameters[i]));
  return text_of_run(*module, arguments);
}

}  // namespace hlocc::tests
