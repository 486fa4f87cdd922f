// ONNX models of one node, built field by field: its value through the interpreter, or what is said
// of it. A row holds the node, its operands and its attributes.
#pragma once
#include <catch2/catch.hpp>
#include <cstring>

#include "import/messages.h"
#include "import/onnx/import.h"
#include "support/model_values.h"
#include "support/text.h"

namespace hlocc::tests {

using import::number_field, import::text_field;
using L = Dimensions;
using Texts = std::vector<std::string>;
using Reals = std::vector<double>;

// The fields of a graph inside a node.
struct GraphText {
  std::string fields;
};

// An operand: an argument of the model, a constant of it, or none.
struct NodeOperand {
  enum Kind { kArgument, kConstant, kNone } kind;
  Literal value = {};
};

// An argument of these numbers; of 0, 1, .. where none are given.
inline NodeOperand given(PrimitiveType type, const Dimensions& sizes,
                         std::vector<double> values = {}) {
  return {NodeOperand::kArgument, counted_literal(type, sizes, std::move(values))};
}
inline NodeOperand x(const Dimensions& sizes, std::vector<double> values = {}) {
  return given(kF32, sizes, std::move(values));
}
inline NodeOperand constant(PrimitiveType type, const Dimensions& sizes,
                            const std::vector<double>& values) {
  return {NodeOperand::kConstant, literal_from(type, sizes, values)};
}
// A constant list of integers, and one of them.
inline NodeOperand n(const Dimensions& values) {
  return {NodeOperand::kConstant,
          import::literal_of(kS64, values, {static_cast<int64_t>(values.size())})};
}
inline NodeOperand one(int64_t value) {
  return {NodeOperand::kConstant, import::literal_of(kS64, {value}, {})};
}
inline const NodeOperand none = {NodeOperand::kNone};

// The fields of an attribute by the type of what it holds.
struct NodeAttribute {
  NodeAttribute(const char* name, int value) : NodeAttribute(name, int64_t{value}) {}
  NodeAttribute(const char* name, int64_t value)
      : fields(fields_of(name, number_field(3, static_cast<uint64_t>(value)), 2)) {}
  NodeAttribute(const char* name, const char* value)
      : fields(fields_of(name, text_field(4, value), 3)) {}
  NodeAttribute(const char* name, double value)
      : fields(fields_of(name, "\x15" + bits_of(value), 1)) {}
  NodeAttribute(const char* name, const Texts& values) {
    std::string all;
    for (const std::string& value : values) all += text_field(9, value);
    fields = fields_of(name, all, 8);
  }
  NodeAttribute(const char* name, const Reals& values) {
    std::string all;
    for (const double value : values) all += bits_of(value);
    fields = fields_of(name, text_field(7, all), 6);
  }
  NodeAttribute(const char* name, const Dimensions& values) {
    std::string all;
    for (const int64_t value : values) all += number_field(8, static_cast<uint64_t>(value));
    fields = fields_of(name, all, 7);
  }
  NodeAttribute(const char* name, const GraphText& graph)
      : fields(fields_of(name, text_field(6, graph.fields), 5)) {}
  static std::string bits_of(double value) {
    const auto number = static_cast<float>(value);
    std::string bits(sizeof number, '\0');
    std::memcpy(bits.data(), &number, sizeof number);
    return bits;
  }
  static std::string fields_of(const char* name, const std::string& value, uint64_t type) {
    return text_field(1, name) + value + number_field(20, type);
  }
  std::string fields;
};

struct NodeRow {
  const char* op;
  std::vector<NodeOperand> operands;
  std::vector<NodeAttribute> attributes;
  std::string answer;  // "f32[2] 1 2", results apart by ';'; "!" in front: what is said
  int results = 1;
  int opset = 18;
};

inline uint64_t onnx_type(PrimitiveType type) {
  for (const auto& [one, number] :
       std::initializer_list<std::pair<PrimitiveType, uint64_t>>{{kU8, 2},
                                                                 {kS8, 3},
                                                                 {kS32, 6},
                                                                 {kS64, 7},
                                                                 {kPred, 9},
                                                                 {kF16, 10},
                                                                 {kF64, 11},
                                                                 {kU32, 12},
                                                                 {kU64, 13},
                                                                 {kC64, 14},
                                                                 {kC128, 15},
                                                                 {kBF16, 16}})
    if (one == type) return number;
  return 1;
}

inline std::string tensor_of(const std::string& name, const Literal& value) {
  std::string out;
  for (const int64_t size : value.shape().dimensions)
    out += number_field(1, static_cast<uint64_t>(size));
  return out + number_field(2, onnx_type(value.type())) + text_field(8, name) +
         text_field(9, import::as_text(value.bytes()));
}

inline std::string input_of(const std::string& name, const Shape& shape) {
  std::string sizes;
  for (const int64_t size : shape.dimensions)
    sizes += text_field(1, number_field(1, static_cast<uint64_t>(size)));
  return text_field(1, name) +
         text_field(2, text_field(1, number_field(1, onnx_type(shape.element_type)) +
                                         text_field(2, sizes)));
}

// Which part of a row is damaged: an operand is a constant of a byte too many, an attribute has a
// type that there is not. -1: none.
struct Damage {
  int operand = -1, attribute = -1;
};

inline std::string model_of(const NodeRow& row, Damage damage = {}) {
  std::string node, graph;
  for (size_t i = 0; i < row.operands.size(); ++i) {
    const NodeOperand& operand = row.operands[i];
    const std::string name = operand.kind == NodeOperand::kNone ? "" : cat("i", i);
    node += text_field(1, name);
    const bool is_damaged = static_cast<int>(i) == damage.operand;
    if (operand.kind == NodeOperand::kArgument && !is_damaged)
      graph += text_field(11, input_of(name, operand.value.shape()));
    if (operand.kind == NodeOperand::kConstant || is_damaged)
      graph += text_field(
          5,
          tensor_of(name, operand.value) +
              (is_damaged ? text_field(9, std::string(import::as_text(operand.value.bytes())) + "!")
                          : ""));
  }
  for (int i = 0; i < row.results; ++i) {
    node += text_field(2, cat("y", i));
    graph += text_field(12, text_field(1, cat("y", i)));
  }
  node += text_field(4, row.op);
  for (size_t i = 0; i < row.attributes.size(); ++i)
    node +=
        text_field(5, row.attributes[i].fields +
                          (static_cast<int>(i) == damage.attribute ? number_field(20, 99) : ""));
  return number_field(1, 8) + text_field(7, text_field(2, "g") + text_field(1, node) + graph) +
         text_field(8, number_field(2, static_cast<uint64_t>(row.opset)));
}

// What is said of a row's model that is refused; nothing of one that is read.
inline std::string refusal_of(const NodeRow& row, const Result<import::onnx::Read>& read) {
  if (read) return "";
  const std::string place = cat("graph.node[0] (", row.op, " \"y0\", opset ", row.opset, "): ");
  const std::string& said = read.error().message;
  return said.starts_with(place) ? "!" + said.substr(place.size()) : "elsewhere: " + said;
}

// What the model gives, as a row writes it.
inline std::string answer_of(const NodeRow& row) {
  const std::string bytes = model_of(row);
  Result<import::onnx::Read> read =
      import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {});
  if (!read) return refusal_of(row, read);
  std::vector<Literal> arguments;
  for (const NodeOperand& operand : row.operands)
    if (operand.kind == NodeOperand::kArgument) arguments.push_back(operand.value);
  return text_of_run(read->module, arguments);
}

// A damaged part is what is told of a row, unless what the row tells comes before, or nobody reads
// it: whatever is built behind the damage is nothing, and ends.
inline void check_damage(const NodeRow& row, Damage damage, const std::string& place) {
  const std::string bytes = model_of(row, damage);
  const std::string said =
      refusal_of(row, import::onnx::read_onnx(import::as_bytes(bytes), "file", "", {}));
  INFO("damaged: " << place);
  if (!said.empty() && said != row.answer) CHECK_THAT(said, Catch::StartsWith(place));
}

inline void check_answers(const std::vector<NodeRow>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i << ", " << rows[i].op);
    CHECK(answer_of(rows[i]) == rows[i].answer);
  }
}

// The same, and what is said of each row with a damaged part.
inline void check_nodes(const std::vector<NodeRow>& rows) {
  check_answers(rows);
  for (size_t i = 0; i < rows.size(); ++i) {
    const NodeRow& row = rows[i];
    INFO("row " << i << ", " << row.op);
    int constants = 0;
    for (int at = 0; at < static_cast<int>(row.operands.size()); ++at) {
      const NodeOperand::Kind kind = row.operands[at].kind;
      if (kind != NodeOperand::kNone)
        check_damage(
            row, {.operand = at},
            cat("elsewhere: graph.initializer[", constants, "] (tensor \"i", at, "\") has "));
      if (kind == NodeOperand::kConstant) ++constants;
    }
    // A constant's value may be of any type.
    const bool is_typed = std::string(row.op) != "Constant";
    for (int at = 0; is_typed && at < static_cast<int>(row.attributes.size()); ++at)
      check_damage(row, {.attribute = at},
                   cat("elsewhere: graph.node[0].attribute[", at, "].type: attribute "));
  }
}

}  // namespace hlocc::tests
