// Ops without operands: constant and iota.
#include "interpreter/families.h"
#include "interpreter/strided.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {

using hlo::Op;
using hlo::Opcode;

Result<Literal> evaluate(Op<Opcode::kConstant>, Context&, const hlo::Instruction& instruction,
                         Operands) {
  Literal value = instruction.get<hlo::ConstantAttributes>().value;
  if (value.shape().is_array()) value.set_shape(instruction.shape);
  return value;
}

// The index along one dimension, converted to the type (integers wrap).
Result<Literal> evaluate(Op<Opcode::kIota>, Context&, const hlo::Instruction& instruction,
                         Operands) {
  const Shape& shape = instruction.shape;
  const int64_t dimension = instruction.get<hlo::IotaAttributes>().dimension;
  const int64_t stride = hlo::row_major_strides(shape.dimensions)[dimension],
                extent = shape.dimensions[dimension];
  std::vector<int64_t> indices(static_cast<size_t>(shape.element_count()));
  for (size_t i = 0; i < indices.size(); ++i)
    indices[i] = static_cast<int64_t>(i) / stride % extent;
  return literal_from(shape, indices);
}

}  // namespace hlocc::interpreter
