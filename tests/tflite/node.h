// TensorFlow Lite models of one operator, written table by table: its value through the
// interpreter, or what is said of it. A row holds the operator, its options, operands and results.
#pragma once
#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "import/tflite/import.h"
#include "support/model_values.h"
#include "support/text.h"
#include "tflite/flat.h"

namespace hlocc::tests {

using L = Dimensions;

// A tensor: an argument with its numbers, a constant, a result, an operand that is left out, or a
// variable, which the model keeps.
struct NodeTensor {
  enum Kind { kArgument, kConstant, kResult, kNone, kVariable } kind;
  Literal value = {};
  float scale = 0;  // 0: none
  int64_t zero = 0;
  // Instead of one scale: those of the parts along a dimension, and their zero points.
  std::vector<float> scales = {};
  int32_t dimension = 0;
  std::vector<int64_t> zeros = {};
  int8_t number = -1;  // of a type that HLO lacks
};

inline NodeTensor given(PrimitiveType type, const Dimensions& sizes,
                        std::vector<double> values = {}, float scale = 0, int64_t zero = 0) {
  return {NodeTensor::kArgument, counted_literal(type, sizes, std::move(values)), scale, zero};
}
inline NodeTensor x(const Dimensions& sizes, std::vector<double> values = {}) {
  return given(kF32, sizes, std::move(values));
}
inline NodeTensor constant(PrimitiveType type, const Dimensions& sizes,
                           const std::vector<double>& values) {
  return {NodeTensor::kConstant, literal_from(type, sizes, values)};
}
// A constant list of integers, and one of them.
inline NodeTensor n(const Dimensions& values) {
  return {NodeTensor::kConstant,
          import::literal_of(kS32, values, {static_cast<int64_t>(values.size())})};
}
inline NodeTensor one(int64_t value) {
  return {NodeTensor::kConstant, import::literal_of(kS32, {value}, {})};
}
inline NodeTensor gives(PrimitiveType type, const Dimensions& sizes, float scale = 0,
                        int64_t zero = 0) {
  return {NodeTensor::kResult, Literal::zeros(Shape::array(type, sizes)), scale, zero};
}
inline NodeTensor y(const Dimensions& sizes) { return gives(kF32, sizes); }
inline const NodeTensor none = {NodeTensor::kNone};
inline NodeTensor variable(PrimitiveType type, const Dimensions& sizes, float scale = 0,
                           int64_t zero = 0) {
  return {NodeTensor::kVariable, Literal::zeros(Shape::array(type, sizes)), scale, zero};
}
inline NodeTensor scaled(NodeTensor tensor, float scale, int64_t zero = 0) {
  tensor.scale = scale;
  tensor.zero = zero;
  return tensor;
}
// Of STRING, RESOURCE or what no schema has.
inline NodeTensor numbered(NodeTensor tensor, int8_t number) {
  tensor.number = number;
  return tensor;
}
inline NodeTensor by_channel(NodeTensor tensor, std::vector<float> scales, int32_t dimension,
                             std::vector<int64_t> zeros = {}) {
  tensor.scales = std::move(scales);
  tensor.dimension = dimension;
  tensor.zeros = std::move(zeros);
  return tensor;
}
// A vector of quantised numbers.
inline NodeTensor of_bytes(const std::vector<double>& values, float scale, int64_t zero = 0) {
  return given(kS8, {static_cast<int64_t>(values.size())}, values, scale, zero);
}
inline NodeTensor of_words(const std::vector<double>& values, float scale, int64_t zero = 0) {
  return given(kS16, {static_cast<int64_t>(values.size())}, values, scale, zero);
}

struct NodeRow {
  std::string op;
  FlatFields options;
  std::vector<NodeTensor> operands, results;
  std::string answer;           // "f32[2] 1 2", results apart by ';'; "!" in front: what is said
  FlexOptions attributes = {};  // of a custom operator
  std::vector<Literal> state = {};  // what variables hold, in the order of their first use; zeros
  import::Rounding rounding = import::Rounding::kTflm;
  int32_t version = 1;
};

inline const std::string no_kernel = "!no kernel for element types ";

// -1: of a custom operator.
inline int number_of(const std::string& op) {
#define HLOCC_TFLITE_OP(code, name, version, function) \
  if (op == name) return code;
#define HLOCC_TFLITE_CUSTOM(name, function)
#include "import/tflite/ops.def"
  return -1;
}

inline int8_t tflite_type(PrimitiveType type) {
  static const std::map<PrimitiveType, int8_t> numbers = {
      {kF32, 0}, {kF16, 1}, {kS32, 2},  {kU8, 3},   {kS64, 4},  {kPred, 6}, {kS16, 7},
      {kC64, 8}, {kS8, 9},  {kF64, 10}, {kU64, 12}, {kU32, 15}, {kS4, 17},  {kBF16, 18}};
  return numbers.at(type);
}

inline FlatFields fields_of(const NodeTensor& tensor, const std::string& name, uint32_t buffer) {
  using Fields = schema::Tensor;
  FlatFields out = {
      flat_list<int32_t>(Fields::shape, tensor.value.shape().dimensions),
      flat(Fields::type, tensor.number < 0 ? tflite_type(tensor.value.type()) : tensor.number),
      flat(Fields::buffer, buffer), flat_bytes(Fields::name, name)};
  if (tensor.kind == NodeTensor::kVariable) out.push_back(flat(Fields::is_variable, uint8_t{1}));
  using Quantized = schema::QuantizationParameters;
  const bool is_one = tensor.scale != 0;
  if (!is_one && tensor.scales.empty()) return out;
  std::string scales = raw(static_cast<uint32_t>(is_one ? 1 : tensor.scales.size()));
  for (const float scale : tensor.scales) scales += raw(scale);
  if (is_one) scales += raw(tensor.scale);
  FlatFields quantized = {
      {Quantized::scale.id, FlatField::kVector, scales},
      flat_list<int64_t>(Quantized::zero_point, is_one ? std::vector{tensor.zero} : tensor.zeros),
      flat(Quantized::quantized_dimension, tensor.dimension)};
  out.push_back(flat_table(Fields::quantization, std::move(quantized)));
  return out;
}

// The lists that a model is made of.
struct NodeParts {
  std::vector<FlatFields> tensors, buffers = {{}};
  std::vector<int64_t> inputs, outputs, operands;

  void add(const NodeTensor& tensor, const std::string& name) {
    const auto number = static_cast<int64_t>(tensors.size());
    const bool is_result = tensor.kind == NodeTensor::kResult;
    (is_result ? outputs : operands).push_back(tensor.kind == NodeTensor::kNone ? -1 : number);
    if (tensor.kind == NodeTensor::kNone) return;
    if (tensor.kind == NodeTensor::kArgument) inputs.push_back(number);
    const bool is_constant = tensor.kind == NodeTensor::kConstant;
    tensors.push_back(fields_of(tensor, name, is_constant ? buffers.size() : 0));
    if (!is_constant) return;
    const std::span<const std::byte> bytes = tensor.value.bytes();
    buffers.push_back(
        {flat_bytes(schema::Buffer::data,
                    std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()))});
  }
};

inline FlatFields code_of(const NodeRow& row) {
  const int number = number_of(row.op);
  FlatFields code = {flat(schema::OperatorCode::builtin_code, number < 0 ? 32 : number),
                     flat(schema::OperatorCode::version, row.version)};
  if (number < 0) code.push_back(flat_bytes(schema::OperatorCode::custom_code, row.op));
  return code;
}

inline FlatFields operator_of(const NodeRow& row, const NodeParts& parts) {
  using Fields = schema::Operator;
  FlatFields op = {flat_list<int32_t>(Fields::inputs, parts.operands),
                   flat_list<int32_t>(Fields::outputs, parts.outputs),
                   flat_table(Fields::builtin_options, row.options)};
  if (!row.attributes.empty())
    op.push_back(flat_bytes(Fields::custom_options, flex_map(row.attributes)));
  return op;
}

// The root of a model of one subgraph and one operator.
inline FlatFields model_of_parts(const NodeParts& parts, FlatFields op, FlatFields code) {
  const FlatFields graph = {flat_tables(schema::SubGraph::tensors, parts.tensors),
                            flat_list<int32_t>(schema::SubGraph::inputs, parts.inputs),
                            flat_list<int32_t>(schema::SubGraph::outputs, parts.outputs),
                            flat_tables(schema::SubGraph::operators, {std::move(op)})};
  return {flat(schema::Model::version, uint32_t{3}),
          flat_tables(schema::Model::operator_codes, {std::move(code)}),
          flat_tables(schema::Model::subgraphs, {graph}),
          flat_tables(schema::Model::buffers, parts.buffers)};
}

inline std::string model_of(const NodeRow& row) {
  NodeParts parts;
  for (size_t i = 0; i < row.operands.size(); ++i) parts.add(row.operands[i], cat("i", i));
  for (size_t i = 0; i < row.results.size(); ++i) parts.add(row.results[i], cat("y", i));
  return flat_file(model_of_parts(parts, operator_of(row, parts), code_of(row)));
}

inline std::string place_of(const NodeRow& row) {
  return cat(number_of(row.op) < 0 ? "custom " : "", row.op, " (version ", row.version,
             ") of layer \"y0\": ");
}

// What the model gives, as a row writes it.
inline std::string answer_of(const NodeRow& row) {
  const std::string bytes = model_of(row);
  import::Choices choices;
  choices.rounding = row.rounding;
  Result<hlo::Module> module =
      import::tflite::read_tflite(import::as_bytes(bytes), "file", choices);
  if (!module) {
    const std::string place = place_of(row);
    const std::string& said = module.error().message;
    return said.starts_with(place) ? "!" + said.substr(place.size()) : "elsewhere: " + said;
  }
  std::vector<Literal> arguments;
  for (const NodeTensor& operand : row.operands)
    if (operand.kind == NodeTensor::kArgument) arguments.push_back(operand.value);
  arguments.insert(arguments.end(), row.state.begin(), row.state.end());
  for (size_t i = arguments.size(); i < module->entry_parameters.size(); ++i)
    arguments.push_back(Literal::zeros(module->entry_parameters[i]));
  return text_of_run(*module, arguments);
}

// The one result of a row as numbers.
inline std::vector<double> numbers_of(const NodeRow& row) {
  std::istringstream text(answer_of(row));
  std::string shape;
  text >> shape;
  std::vector<double> out;
  for (double number = 0; text >> number;) out.push_back(number);
  return out;
}

inline void check_nodes(const std::vector<NodeRow>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i << ", " << rows[i].op);
    CHECK(answer_of(rows[i]) == rows[i].answer);
  }
}

}  // namespace hlocc::tests
