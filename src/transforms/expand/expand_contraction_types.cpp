// Contractions of mixed types as contractions of one kind of types between converts, and scaled-dot
// as a dot of operands multiplied by their scales (ops/contraction_types.h).
#include "transforms/expand/expand_contraction_types.h"

#include "ops/contraction_types.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

// One scale a block of elements (or one for all) becomes one an element.
InstructionId spread(Rewriter& r, InstructionId scale, const Dimensions& to) {
  const Dimensions counts = r.shape(scale).dimensions;
  if (counts.empty()) return broadcast(r, scale, to);
  Dimensions blocks, mapping;
  for (size_t d = 0; d < to.size(); ++d) {
    mapping.push_back(static_cast<int64_t>(blocks.size()));
    blocks.insert(blocks.end(), {counts[d], counts[d] == 0 ? 0 : to[d] / counts[d]});
  }
  return reshape(r, broadcast(r, scale, blocks, mapping), to);
}

InstructionId scaled(Rewriter& r, InstructionId operand, InstructionId scale) {
  const PrimitiveType type = ops::scaling_type(r.type(operand), r.type(scale));
  const InstructionId wide = convert(r, operand, type);
  const Dimensions to = r.shape(wide).dimensions;
  return binary(r, Opcode::kMultiply, wide, spread(r, convert(r, scale, type), to));
}

}  // namespace

InstructionId expand_scaled_dot(Rewriter& r, const Instruction& instruction) {
  const InstructionId lhs = scaled(r, instruction.operands[0], instruction.operands[2]),
                      rhs = scaled(r, instruction.operands[1], instruction.operands[3]);
  const PrimitiveType meet = ops::scaling_type(r.type(lhs), r.type(rhs)),
                      result = instruction.shape.element_type;
  Shape shape = instruction.shape;
  shape.element_type = ops::scaling_type(meet, result);
  std::vector<InstructionId> operands{convert(r, lhs, meet), convert(r, rhs, meet)};
  return convert(r,
                 r.add(hlo::make(Opcode::kDot, shape, std::move(operands),
                                 instruction.get<hlo::DotAttributes>())),
                 result);
}

InstructionId expand_mixed_types(Rewriter& r, const Instruction& instruction) {
  const PrimitiveType result = instruction.shape.element_type;
  const ops::ContractionTypes stated{r.type(instruction.operands[0]),
                                     r.type(instruction.operands[1]), result};
  const ops::ContractionTypes types = ops::contraction_types(stated.lhs, stated.rhs, stated.result);
  if (types == stated) return kNone;
  Instruction inner = instruction;
  inner.name.clear();
  inner.operands[0] = convert(r, inner.operands[0], types.lhs);
  inner.operands[1] = convert(r, inner.operands[1], types.rhs);
  inner.shape.element_type = types.result;
  return convert(r, r.emit(std::move(inner)), result);
}

}  // namespace hlocc::transforms
