// See joined_rows.h.
#include "transforms/rows/joined_rows.h"

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using MakeRoot = std::function<InstructionId(Rewriter&, const std::vector<InstructionId>&)>;

InstructionId fusion_of(Rewriter& r, const char* name, const std::vector<InstructionId>& operands,
                        const MakeRoot& make_root) {
  std::vector<Shape> shapes;
  for (InstructionId operand : operands) shapes.push_back(r.shape(operand));
  const ComputationId body = new_computation(r.module(), name, shapes, make_root);
  return r.add(hlo::make(Opcode::kFusion, r.module().computations[body].root_instruction().shape,
                         operands, hlo::FusionAttributes{}, {body}));
}

}  // namespace

InstructionId joined(Rewriter& r, const std::vector<InstructionId>& parts, int64_t dimension) {
  return fusion_of(r, "joined_rows", parts,
                   [&](Rewriter& inner, const std::vector<InstructionId>& p) {
                     return concatenate(inner, p, dimension);
                   });
}

InstructionId part_of(Rewriter& r, InstructionId rows, int64_t dimension, int64_t start,
                      int64_t limit) {
  return fusion_of(r, "part_of_rows", {rows},
                   [&](Rewriter& inner, const std::vector<InstructionId>& p) {
                     return slice(inner, p[0], dimension, start, limit);
                   });
}

}  // namespace hlocc::transforms
