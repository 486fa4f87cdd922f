// Contractions of mixed types: the operands are converted, the contraction is computed in one type,
// its result converted (ops/contraction_types.h). scaled-dot is that too, of operands that were
// multiplied by their scales before.
#include "interpreter/contraction_types.h"

#include "interpreter/families.h"
#include "ops/contraction_types.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;
using hlo::Shape;

Result<Literal> apply(Context& context, Opcode opcode, Shape shape, std::vector<Literal> operands,
                      hlo::Attributes attributes = {}) {
  return evaluate(context, hlo::make(opcode, std::move(shape), {}, std::move(attributes)),
                  operands);
}

Result<Literal> converted(Context& context, Literal value, PrimitiveType type) {
  if (value.type() == type) return value;
  Shape shape = Shape::array(type, value.shape().dimensions);
  return apply(context, Opcode::kConvert, std::move(shape), {std::move(value)});
}

// One scale a block of elements (or one for all) becomes one an element.
Result<Literal> spread(Context& context, Literal scale, const Dimensions& to) {
  Dimensions blocks, mapping;
  for (size_t d = 0; d < to.size() && scale.shape().rank() > 0; ++d) {
    mapping.push_back(static_cast<int64_t>(blocks.size()));
    const int64_t count = scale.shape().dimensions[d];
    blocks.insert(blocks.end(), {count, count == 0 ? 0 : to[d] / count});
  }
  const PrimitiveType type = scale.type();
  HLOCC_TRY_ASSIGN(Literal wide, apply(context, Opcode::kBroadcast,
                                       Shape::array(type, mapping.empty() ? to : blocks),
                                       {std::move(scale)}, hlo::DimensionsAttributes{mapping}));
  return apply(context, Opcode::kReshape, Shape::array(type, to), {std::move(wide)});
}

Result<Literal> scaled(Context& context, Literal operand, Literal scale) {
  const PrimitiveType type = ops::scaling_type(operand.type(), scale.type());
  HLOCC_TRY_ASSIGN(scale, converted(context, std::move(scale), type));
  HLOCC_TRY_ASSIGN(operand, converted(context, std::move(operand), type));
  const Shape shape = operand.shape();
  HLOCC_TRY_ASSIGN(scale, spread(context, std::move(scale), shape.dimensions));
  return apply(context, Opcode::kMultiply, shape, {std::move(operand), std::move(scale)});
}

}  // namespace

bool has_mixed_types(const Instruction& instruction, Operands operands) {
  if (instruction.opcode != Opcode::kDot && instruction.opcode != Opcode::kConvolution &&
      instruction.opcode != Opcode::kRaggedDot)
    return false;
  const ops::ContractionTypes stated{operands[0].type(), operands[1].type(),
                                     instruction.shape.element_type};
  return ops::contraction_types(stated.lhs, stated.rhs, stated.result) != stated;
}

Result<Literal> evaluate_mixed(Context& context, const Instruction& instruction,
                               Operands operands) {
  const PrimitiveType result = instruction.shape.element_type;
  const ops::ContractionTypes types =
      ops::contraction_types(operands[0].type(), operands[1].type(), result);
  HLOCC_TRY_ASSIGN(operands[0], converted(context, std::move(operands[0]), types.lhs));
  HLOCC_TRY_ASSIGN(operands[1], converted(context, std::move(operands[1]), types.rhs));
  Instruction inner = instruction;
  inner.shape.element_type = types.result;
  HLOCC_TRY_ASSIGN(Literal value, evaluate(context, inner, operands));
  return converted(context, std::move(value), result);
}

Result<Literal> evaluate(Op<Opcode::kScaledDot>, Context& context, const Instruction& instruction,
                         Operands operands) {
  HLOCC_TRY_ASSIGN(Literal lhs, scaled(context, std::move(operands[0]), std::move(operands[2])));
  HLOCC_TRY_ASSIGN(Literal rhs, scaled(context, std::move(operands[1]), std::move(operands[3])));
  const PrimitiveType meet = ops::scaling_type(lhs.type(), rhs.type()),
                      result = instruction.shape.element_type;
  HLOCC_TRY_ASSIGN(lhs, converted(context, std::move(lhs), meet));
  HLOCC_TRY_ASSIGN(rhs, converted(context, std::move(rhs), meet));
  Shape shape = instruction.shape;
  shape.element_type = ops::scaling_type(meet, result);
  HLOCC_TRY_ASSIGN(Literal value,
                   apply(context, Opcode::kDot, shape, {std::move(lhs), std::move(rhs)},
                         instruction.get<hlo::DotAttributes>()));
  return converted(context, std::move(value), result);
}

}  // namespace hlocc::interpreter
