// topk as a stable sort of (value, index) in total order, cut to the first k: the largest NaN
// first, equal values by index.
#include "transforms/build.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {
namespace {

// (a, b, index of a, index of b) -> whether a comes first.
ComputationId comparator(Module& module, PrimitiveType type, bool largest) {
  using hlo::ComparisonType;
  const Shape value = Shape::scalar(type), index = Shape::scalar(PrimitiveType::kS32);
  return new_computation(
      module, largest ? "greater_first" : "less_first", {value, value, index, index},
      [&](Rewriter& r, const std::vector<InstructionId>& p) {
        const ComparisonType how = is_float(type)    ? ComparisonType::kTotalOrder
                                   : is_signed(type) ? ComparisonType::kSigned
                                                     : ComparisonType::kUnsigned;
        const auto direction = largest ? hlo::Direction::kGt : hlo::Direction::kLt;
        return r.add(Opcode::kCompare, {p[0], p[1]}, hlo::CompareAttributes{direction, how});
      });
}

}  // namespace

InstructionId expand_topk(Rewriter& r, const Instruction& instruction) {
  const InstructionId x = instruction.operands[0];
  const auto& topk = instruction.get<hlo::TopKAttributes>();
  const Dimensions dimensions = r.shape(x).dimensions;
  const int64_t last = static_cast<int64_t>(dimensions.size()) - 1;
  const InstructionId indices = iota(r, PrimitiveType::kS32, dimensions, last);
  const ComputationId order = comparator(r.module(), r.type(x), topk.largest);
  const InstructionId sorted =
      r.add(Opcode::kSort, {x, indices}, hlo::SortAttributes{last, true}, {order});
  return tuple(r, {slice(r, element(r, sorted, 0), last, 0, topk.k),
                   slice(r, element(r, sorted, 1), last, 0, topk.k)});
}

}  // namespace hlocc::transforms
