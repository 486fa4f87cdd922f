// Session: the variables of a model as state of the entry computation.
#include <algorithm>

#include "import/tflite/graph.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

// Both with the bits that differ; floats by their bits.
InstructionId different_bits(Builder& b, InstructionId x, const Literal& from) {
  const InstructionId other = b.constant(from);
  const PrimitiveType type = b.type(x);
  if (!hlo::is_float(type)) return b.binary(Opcode::kXor, x, other);
  const int width = hlo::type_bits(type);
  const PrimitiveType bits = width == 8    ? PrimitiveType::kU8
                             : width == 16 ? PrimitiveType::kU16
                             : width == 32 ? PrimitiveType::kU32
                                           : PrimitiveType::kU64;
  return b.bitcast(b.binary(Opcode::kXor, b.bitcast(x, bits), b.bitcast(other, bits)), type);
}

}  // namespace

Variable& Session::named(const StateName& name) {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const Variable& v) { return v.key == name.key; });
  if (found != variables.end()) return *found;
  variables.push_back({.key = name.key, .name = name.name});
  return variables.back();
}

InstructionId Session::read(const StateName& name, const Shape& shape) {
  Variable& variable = named(name);
  if (variable.now != hlo::kNone) return variable.now;
  if (variable.initial && !hlo::same_dimensions_and_type(variable.initial->shape(), shape)) {
    b.fail(error(DiagnosticKind::kStructure,
                 cat("variable \"", name.name, "\" begins as ", variable.initial->shape(),
                     " and is read as ", shape)));
    return 0;
  }
  b.set_metadata({.op_name = name.name});
  variable.parameter = b.parameter(parameters++, shape, name.name);
  variable.now = variable.initial ? different_bits(b, variable.parameter, *variable.initial)
                                  : variable.parameter;
  return variable.now;
}

void Session::assign(const StateName& name, InstructionId value) {
  read(name, b.shape(value));
  Variable& variable = named(name);
  // What is kept has the shape that it was first read or assigned with.
  const Shape &own = b.shape(variable.parameter), &given = b.shape(value);
  if (own.element_type != given.element_type || own.element_count() != given.element_count())
    return b.fail(error(DiagnosticKind::kStructure, cat("variable \"", name.name, "\" is first ",
                                                        own, " and is assigned ", given)));
  variable.now = b.reshape(value, own.dimensions);
}

void Session::set_initial(const StateName& name, Literal value) {
  Variable& variable = named(name);
  const auto bytes = value.bytes();
  const bool is_zero =
      std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
  if (variable.now == hlo::kNone && !is_zero) variable.initial = std::move(value);
}

InstructionId Session::stored(const Variable& variable, InstructionId value) {
  return variable.initial ? different_bits(b, value, *variable.initial) : value;
}

}  // namespace hlocc::import::tflite
