// See op.h.
#include "import/tflite/op.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/tflite/constants.h"
#include "support/text.h"

namespace hlocc::import::tflite {

Op::Op(GraphReader& graph, const Operator& node, std::string_view name)
    : b(graph.session().b), options(node.options), graph_(graph), node_(node), name_(name) {}

const Tensor& Op::in(int i) const { return graph_.tensor(node_.inputs[i]); }
const Tensor& Op::out(int i) const { return graph_.tensor(node_.outputs[i]); }
InstructionId Op::value(int i) const { return graph_.value(node_.inputs[i]); }

StateName Op::state_name(int i) const {
  const std::string key = cat("tensor ", node_.inputs[i]);
  return {key, in(i).name.empty() ? key : in(i).name};
}

StateName Op::kept_name(const char* what) const {
  const std::string key = cat("result ", node_.outputs[0], " ", what);
  return {key, layer().empty() ? key : cat(layer(), ".", what)};
}

Result<InstructionId> Op::state(int i) const {
  const Tensor& tensor = in(i);
  if (!tensor.is_variable) return wrong(cat("operand ", i, " is no variable"));
  if (graph_.session().depth > 0) return unsupported("state inside a loop or a branch");
  Result<Shape> shape = shape_of_tensor(tensor);
  if (!shape) return located(std::move(shape).error());
  if (shape->element_type == PrimitiveType::kS8 && tensor.zero_point() != 0) {
    Literal zero = Literal::zeros(*shape);
    for (int8_t& value : zero.mutable_data<int8_t>())
      value = static_cast<int8_t>(tensor.zero_point());
    graph_.session().set_initial(state_name(i), std::move(zero));
  }
  return graph_.session().read(state_name(i), *shape);
}

void Op::set_state(int i, InstructionId value) const {
  graph_.session().assign(state_name(i), value);
}

Result<InstructionId> Op::kept(const char* what, const Shape& shape) const {
  if (graph_.session().depth > 0) return unsupported("state inside a loop or a branch");
  return graph_.session().read(kept_name(what), shape);
}

void Op::keep(const char* what, InstructionId value) const {
  graph_.session().assign(kept_name(what), value);
}

// Of a constant from the file: values belong to the computation that they were made in.
std::optional<Literal> Op::constant(int i) const {
  if (!in(i).is_constant) return b.known(value(i));
  Result<Literal> literal = literal_of_tensor(in(i));
  if (literal) return std::move(literal).value();
  b.fail(std::move(literal).error());
  return std::nullopt;
}

Result<std::vector<int64_t>> Op::integers(int i, const char* what) const {
  const std::optional<Literal> known = constant(i);
  if (b.failure()) return *b.failure();
  if (!known)
    return unsupported(cat(what, " (operand ", i, ", \"", in(i).name,
                           "\") is computed when the model runs"))
        .note("shapes must be known when the model is compiled: a constant helps");
  if (!hlo::is_integer(known->type())) return wrong(cat(what, " is no integer"));
  return integers_of(*known);
}

Result<int64_t> Op::axis(int64_t given, int64_t rank) const {
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank)
    return wrong(cat("axis ", given, " of an array of ", rank, " dimensions"));
  return axis;
}

Status Op::set(InstructionId id, int i) const {
  if (b.failure()) return {};
  if (i >= outputs() || node_.outputs[i] < 0) return {};
  const Tensor& tensor = out(i);
  const std::optional<PrimitiveType> type = element_type(tensor.type);
  if (type != b.type(id))
    return wrong(cat("result \"", tensor.name, "\" is ", tensor_type_name(tensor.type),
                     ", where the operator gives ", b.shape(id)));
  const Shape declared = Shape::array(*type, tensor.shape);
  if (declared.dimensions != b.sizes(id)) {
    int64_t count = 1;  // -1: none that an array may have
    for (const int64_t size : tensor.shape)
      count = size < 0 || count < 0 || count > INT32_MAX ? -1 : count * size;
    const bool is_resized = graph_.session().model.is_resized;
    // Of as many dimensions, they are the operator's.
    if (is_resized && declared.rank() == b.rank(id))
      return graph_.set_value(node_.outputs[i], id), Status();
    if (count != b.shape(id).element_count())
      return wrong(cat("result \"", tensor.name, "\" has the shape [", join(tensor.shape, ","),
                       "], where the operator gives ", b.shape(id),
                       is_resized ? ", of the sizes that --dim says" : ""));
    id = b.reshape(id, tensor.shape);
  }
  graph_.set_value(node_.outputs[i], id);
  return {};
}

std::string Op::layer() const {
  for (const int32_t output : node_.outputs)
    if (output >= 0) return graph_.tensor(output).name;
  return "";
}

std::string Op::who() const {
  return cat(name_, " (version ", node_.version, ") of layer \"", layer(), "\"");
}

Diagnostic Op::located(Diagnostic why) const {
  why.message = cat(who(), ": ", why.message);
  return why;
}

Diagnostic Op::unsupported(const std::string& what) const {
  return error(DiagnosticKind::kUnsupported, cat(who(), ": ", what));
}

Diagnostic Op::wrong(const std::string& what) const {
  return error(DiagnosticKind::kStructure, cat(who(), ": ", what));
}

Diagnostic Op::unsupported_types() const {
  std::vector<std::string> types;
  for (int i = 0; i < inputs(); ++i)
    if (has(i)) types.push_back(tensor_type_name(in(i).type));
  return unsupported(cat("no kernel for element types (", join(types, ", "), ") -> ",
                         tensor_type_name(out().type)))
      .note("INT8, INT16 and FLOAT32 are the types that most operators are read in");
}

Status Op::require(int least_inputs, int most_inputs, int results) const {
  bool missing = inputs() < least_inputs;
  for (int i = 0; i < least_inputs && !missing; ++i) missing = !has(i);
  if (missing || inputs() > most_inputs)
    return wrong(cat("has ", inputs(), " operands", missing ? ", or lacks one" : ""));
  bool lacks = outputs() != results;
  for (int i = 0; i < results && !lacks; ++i) lacks = node_.outputs[i] < 0;
  if (lacks) return wrong(cat("has ", outputs(), " results, not ", results));
  return {};
}

Status Op::require_rank(int i, int rank) const {
  const int has_rank = b.rank(value(i));
  if (b.failure() || has_rank == rank) return {};
  return wrong(
      cat("operand ", i, " (\"", in(i).name, "\") has ", has_rank, " dimensions, not ", rank));
}

Status Op::require_quantized(const Tensor& tensor) const {
  for (const float scale : tensor.quantization.scales)
    if (!std::isfinite(scale) || scale <= 0)
      return wrong(cat("the scale of \"", tensor.name, "\" is no positive number"));
  const int32_t most = tensor.type == 9   ? INT8_MAX
                       : tensor.type == 3 ? UINT8_MAX
                       : tensor.type == 7 ? INT16_MAX
                                          : INT32_MAX;
  for (const int64_t zero : tensor.quantization.zero_points)
    if (zero > most || zero < (tensor.type == 3 ? 0 : -int64_t{most} - 1))
      return wrong(cat("the zero point of \"", tensor.name, "\" is beyond its type"));
  if (!tensor.quantization.is_there())
    return wrong(cat("\"", tensor.name, "\" has no scale"))
        .note("the converter writes one for each quantised tensor");
  return {};
}

}  // namespace hlocc::import::tflite
