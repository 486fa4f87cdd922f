// ONNX models of several parts, field by field: what a test says of whole files.
#pragma once
#include "onnx/node.h"

namespace hlocc::tests {

struct NodeText {
  std::string op;
  Texts inputs, outputs;
  std::string more = {};  // fields of the node
};

inline std::string node_of(const NodeText& node) {
  std::string out;
  for (const std::string& input : node.inputs) out += text_field(1, input);
  for (const std::string& output : node.outputs) out += text_field(2, output);
  return out + text_field(4, node.op) + node.more;
}

inline std::string attribute_of(const NodeAttribute& attribute) {
  return text_field(5, attribute.fields);
}

// Fields of a graph.
inline std::string nodes_of(const std::vector<NodeText>& nodes) {
  std::string out;
  for (const NodeText& node : nodes) out += text_field(1, node_of(node));
  return out;
}
inline std::string arguments_of(const Texts& names, const Shape& shape) {
  std::string out;
  for (const std::string& name : names) out += text_field(11, input_of(name, shape));
  return out;
}
inline std::string results_of(const Texts& names) {
  std::string out;
  for (const std::string& name : names) out += text_field(12, text_field(1, name));
  return out;
}

// A model of this graph's fields, and more of its own.
inline std::string model_with(const std::string& graph, const std::string& more = "",
                              uint64_t opset = 18) {
  return number_field(1, 8) + text_field(7, text_field(2, "g") + graph) + more +
         text_field(8, number_field(2, opset));
}

// What the model gives of these arguments, or "!" and what is said.
inline std::string told(const std::string& bytes, const std::vector<Literal>& arguments = {},
                        const std::string& folder = "", const import::Choices& choices = {}) {
  Result<import::onnx::Read> read =
      import::onnx::read_onnx(import::as_bytes(bytes), "file", folder, choices);
  return read ? text_of_run(read->module, arguments) : "!" + read.error().message;
}

// What is said of a model that is refused, and the notes below it.
inline Texts noted(const std::string& bytes) {
  Result<import::onnx::Read> read =
      import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
  if (read) return {};
  Texts out = {read.error().message};
  out.insert(out.end(), read.error().notes.begin(), read.error().notes.end());
  return out;
}

}  // namespace hlocc::tests
