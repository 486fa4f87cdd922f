// TensorFlow Lite models of one operator, written table by table: its value through the
// interpreter, or what is said of it. A row holds the operator, its options, operands and results.
#pragma once
#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "import/tflite/import.h"
#include "import/tflite/schema.h"
#include "support/model_values.h"
#include "support/text.h"

namespace hlocc::tests {

namespace schema = import::tflite::schema;
using import::tflite::Field;
using L = Dimensions;

template <typename T>
std::string raw(T value) {
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

struct FlatField;
using FlatFields = std::vector<FlatField>;

// A field of a FlatBuffer's table: a number where it stands, or what an offset leads to.
struct FlatField {
  enum Kind { kNumber, kVector, kTable, kTables };
  int id;
  Kind kind;
  std::string bytes = {};  // of a number, or of a vector behind its length
  std::vector<FlatFields> tables = {};
};

template <typename T>
FlatField flat(Field field, T value) {
  return {field.id, FlatField::kNumber, raw(value)};
}
template <typename T>
FlatField flat_list(Field field, const std::vector<int64_t>& values) {
  std::string bytes = raw(static_cast<uint32_t>(values.size()));
  for (const int64_t value : values) bytes += raw(static_cast<T>(value));
  return {field.id, FlatField::kVector, bytes};
}
inline FlatField flat_bytes(Field field, const std::string& bytes) {
  return {field.id, FlatField::kVector, raw(static_cast<uint32_t>(bytes.size())) + bytes};
}
inline FlatField flat_table(Field field, FlatFields table) {
  return {field.id, FlatField::kTable, {}, {std::move(table)}};
}
inline FlatField flat_tables(Field field, std::vector<FlatFields> tables) {
  return {field.id, FlatField::kTables, {}, std::move(tables)};
}

// Where an offset stands is told how far away the end of the file is, where its target begins.
inline void aim(std::string& file, size_t at) {
  const std::string offset = raw(static_cast<uint32_t>(file.size() - at));
  file.replace(at, 4, offset);
}

// Puts the table, its vtable in front and what it leads to behind, at the end of the file; `from`
// is the offset to it.
inline void put_table(std::string& file, size_t from, const FlatFields& fields) {
  int last = -1;
  for (const FlatField& field : fields) last = std::max(last, field.id);
  std::vector<uint16_t> places(static_cast<size_t>(last + 1), 0);
  uint16_t size = 4;
  for (const FlatField& field : fields) {
    places[static_cast<size_t>(field.id)] = size;
    size += static_cast<uint16_t>(field.kind == FlatField::kNumber ? field.bytes.size() : 4);
  }
  const auto vtable = static_cast<uint16_t>(4 + 2 * places.size());
  file += raw(vtable) + raw(size);
  for (const uint16_t place : places) file += raw(place);
  aim(file, from);
  const size_t at = file.size();
  file += raw(static_cast<int32_t>(vtable));
  for (const FlatField& field : fields)
    file += field.kind == FlatField::kNumber ? field.bytes : raw(0);
  for (const FlatField& field : fields) {
    const size_t own = at + places[static_cast<size_t>(field.id)];
    if (field.kind == FlatField::kTable) put_table(file, own, field.tables[0]);
    if (field.kind == FlatField::kNumber || field.kind == FlatField::kTable) continue;
    aim(file, own);
    if (field.kind == FlatField::kVector) file += field.bytes;
    if (field.kind == FlatField::kVector) continue;
    file += raw(static_cast<uint32_t>(field.tables.size()));
    const size_t offsets = file.size();
    file += std::string(4 * field.tables.size(), '\0');
    for (size_t i = 0; i < field.tables.size(); ++i)
      put_table(file, offsets + 4 * i, field.tables[i]);
  }
}

// A tensor: an argument with its numbers, a constant, a result, or an operand that is left out.
struct NodeTensor {
  enum Kind { kArgument, kConstant, kResult, kNone } kind;
  Literal value = {};
  float scale = 0;  // 0: none
  int64_t zero = 0;
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

struct NodeRow {
  std::string op;
  FlatFields options;
  std::vector<NodeTensor> operands, results;
  std::string answer;  // "f32[2] 1 2", results apart by ';'; "!" in front: what is said
};

inline int code_of(const std::string& op) {
#define HLOCC_TFLITE_OP(code, name, version, function) \
  if (op == name) return code;
#define HLOCC_TFLITE_CUSTOM(name, function)
#include "import/tflite/ops.def"
  return -1;
}

inline int8_t tflite_type(PrimitiveType type) {
  static const std::map<PrimitiveType, int8_t> numbers = {
      {kF32, 0}, {kS32, 2}, {kU8, 3}, {kS64, 4}, {kPred, 6}, {kS16, 7}, {kS8, 9}, {kF64, 10}};
  return numbers.at(type);
}

inline FlatFields fields_of(const NodeTensor& tensor, const std::string& name, uint32_t buffer) {
  using Fields = schema::Tensor;
  FlatFields out = {flat_list<int32_t>(Fields::shape, tensor.value.shape().dimensions),
                    flat(Fields::type, tflite_type(tensor.value.type())),
                    flat(Fields::buffer, buffer), flat_bytes(Fields::name, name)};
  using Quantized = schema::QuantizationParameters;
  if (tensor.scale != 0)
    out.push_back(
        flat_table(Fields::quantization,
                   {{Quantized::scale.id, FlatField::kVector, raw(uint32_t{1}) + raw(tensor.scale)},
                    flat_list<int64_t>(Quantized::zero_point, {tensor.zero})}));
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

inline std::string model_of(const NodeRow& row) {
  NodeParts parts;
  for (size_t i = 0; i < row.operands.size(); ++i) parts.add(row.operands[i], cat("i", i));
  for (size_t i = 0; i < row.results.size(); ++i) parts.add(row.results[i], cat("y", i));
  const FlatFields op = {flat_list<int32_t>(schema::Operator::inputs, parts.operands),
                         flat_list<int32_t>(schema::Operator::outputs, parts.outputs),
                         flat_table(schema::Operator::builtin_options, row.options)};
  const FlatFields graph = {flat_tables(schema::SubGraph::tensors, parts.tensors),
                            flat_list<int32_t>(schema::SubGraph::inputs, parts.inputs),
                            flat_list<int32_t>(schema::SubGraph::outputs, parts.outputs),
                            flat_tables(schema::SubGraph::operators, {op})};
  const FlatFields code = {flat(schema::OperatorCode::builtin_code, code_of(row.op))};
  std::string file = raw(uint32_t{0}) + "TFL3";
  put_table(file, 0,
            {flat(schema::Model::version, uint32_t{3}),
             flat_tables(schema::Model::operator_codes, {code}),
             flat_tables(schema::Model::subgraphs, {graph}),
             flat_tables(schema::Model::buffers, parts.buffers)});
  return file;
}

// What the model gives, as a row writes it.
inline std::string answer_of(const NodeRow& row) {
  const std::string bytes = model_of(row);
  Result<hlo::Module> module = import::tflite::read_tflite(import::as_bytes(bytes), "file");
  if (!module) {
    const std::string place = cat(row.op, " (version 1) of layer \"y0\": ");
    const std::string& said = module.error().message;
    return said.starts_with(place) ? "!" + said.substr(place.size()) : "elsewhere: " + said;
  }
  std::vector<Literal> arguments;
  for (const NodeTensor& operand : row.operands)
    if (operand.kind == NodeTensor::kArgument) arguments.push_back(operand.value);
  return text_of_run(*module, arguments);
}

inline void check_nodes(const std::vector<NodeRow>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i << ", " << rows[i].op);
    CHECK(answer_of(rows[i]) == rows[i].answer);
  }
}

}  // namespace hlocc::tests
