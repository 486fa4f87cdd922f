// See graph.h.
#include "import/tflite/graph.h"

#include <algorithm>

#include "import/tflite/constants.h"
#include "import/tflite/op.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

struct OpRow {
  int code;
  const char* name;
  int version;
  TranslateOp translate;
};
constexpr OpRow builtin_rows[] = {
#define HLOCC_TFLITE_OP(code, name, version, function) {code, name, version, ops::function},
#include "import/tflite/ops.def"
};
struct CustomRow {
  std::string_view name;
  TranslateOp translate;
};
constexpr CustomRow custom_rows[] = {
#define HLOCC_TFLITE_CUSTOM(name, function) {name, ops::function},
#include "import/tflite/ops.def"
};

const OpRow* builtin_row(int code) {
  for (const OpRow& row : builtin_rows)
    if (row.code == code) return &row;
  return nullptr;
}

TranslateOp custom_function(std::string_view name) {
  for (const CustomRow& row : custom_rows)
    if (row.name == name) return row.translate;
  return nullptr;
}

// Operators whose kernels of UINT8 are those of INT8, moved by 128; others were not compared.
constexpr std::string_view unsigned_operators[] = {"ADD",
                                                   "AVERAGE_POOL_2D",
                                                   "CONCATENATION",
                                                   "CONV_2D",
                                                   "DEPTHWISE_CONV_2D",
                                                   "DEQUANTIZE",
                                                   "EXPAND_DIMS",
                                                   "FULLY_CONNECTED",
                                                   "LOGISTIC",
                                                   "MAX_POOL_2D",
                                                   "MEAN",
                                                   "MUL",
                                                   "PAD",
                                                   "QUANTIZE",
                                                   "RELU",
                                                   "RELU6",
                                                   "RESHAPE",
                                                   "RESIZE_NEAREST_NEIGHBOR",
                                                   "SOFTMAX",
                                                   "SQUEEZE",
                                                   "STRIDED_SLICE",
                                                   "SUB",
                                                   "TANH",
                                                   "TRANSPOSE"};

bool has_unsigned(const Subgraph& graph, const Operator& op) {
  const auto is_one = [&](int32_t index) {
    return index >= 0 && graph.tensors[index].was_unsigned;
  };
  return std::ranges::any_of(op.inputs, is_one) || std::ranges::any_of(op.outputs, is_one);
}

// Of what has no elements a file has no data.
bool is_known(const Tensor& tensor) {
  return tensor.is_constant || std::ranges::find(tensor.shape, 0) != tensor.shape.end();
}

std::string name_of(const Operator& op) {
  if (op.code == kCustomOp) return cat("custom ", op.custom);
  const OpRow* row = builtin_row(op.code);
  return row != nullptr ? row->name : cat("builtin operator ", op.code);
}

}  // namespace

InstructionId GraphReader::value(int32_t index) {
  if (const auto found = values_.find(index); found != values_.end()) return found->second;
  Builder& b = session_.b;
  Result<Literal> literal = literal_of_tensor(tensor(index));
  if (!literal) return b.fail(std::move(literal).error()), 0;
  const InstructionId id = b.constant(std::move(literal).value());
  return values_[index] = b.type(id) == PrimitiveType::kS4 ? b.convert(id, PrimitiveType::kS8) : id;
}

Status GraphReader::check_operands(const Operator& op, std::string_view name, size_t place) {
  const auto wrong = [&](const std::string& what) {
    return error(DiagnosticKind::kStructure,
                 cat("operator ", place, " (", name, ") of subgraph ", index_, " ", what));
  };
  for (const int32_t input : op.inputs) {
    // Tensors of zeros from the start, which some kernels keep between runs, are the kernels' own.
    if (input < 0 || values_.contains(input) || is_known(tensor(input)) ||
        tensor(input).is_variable || tensor(input).type == kResourceType)
      continue;
    return wrong(
        cat("reads tensor ", input, " (", tensor(input).name, "), which nothing before it gives"));
  }
  for (const int32_t output : op.outputs)
    if (output >= 0 && (values_.contains(output) || tensor(output).is_constant))
      return wrong(
          cat("gives tensor ", output, " (", tensor(output).name, "), which has a value already"));
  return {};
}

Status GraphReader::run_operator(const Operator& node, size_t place) {
  const std::string name = name_of(node);
  HLOCC_TRY(check_operands(node, name, place));
  const OpRow* row = builtin_row(node.code);
  const TranslateOp translate = node.code == kCustomOp ? custom_function(node.custom)
                                : row != nullptr       ? row->translate
                                                       : nullptr;
  const Op op(*this, node, name);
  if (translate == nullptr)
    return op.unsupported("the operator is not read")
        .note(
            "docs/formats.md has those that are; a converter that lowers the operator to them "
            "helps, or the model as HLO");
  if (row != nullptr && node.version > row->version)
    return op.unsupported(cat("version ", node.version, " is newer than what is read"))
        .note(cat("versions up to ", row->version, " are read"));
  if (has_unsigned(subgraph_, node) &&
      std::ranges::find(unsigned_operators, name) == std::end(unsigned_operators))
    return op.unsupported("quantised UINT8")
        .note("INT8 is read: the converter writes it by default");
  Builder& b = session_.b;
  b.set_metadata({.op_type = name, .op_name = op.layer()});
  Status status = translate(op);
  if (b.failure()) return op.located(*b.failure());
  return status;
}

Status GraphReader::run() {
  for (size_t i = 0; i < subgraph_.operators.size(); ++i)
    HLOCC_TRY(run_operator(subgraph_.operators[i], i));
  return {};
}

}  // namespace hlocc::import::tflite
