// See dynamic_masks.h.
#include "transforms/dynamic/dynamic_masks.h"

#include <algorithm>

#include "transforms/build.h"

namespace hlocc::transforms {

using enum PrimitiveType;

InstructionId Bounded::smaller(InstructionId a, InstructionId b) {
  if (a == kNone || a == b) return b;
  return b == kNone ? a : sizes.smaller(a, b);
}

Sizes Bounded::smaller(const Sizes& a, const Sizes& b) {
  Sizes least;
  for (size_t d = 0; d < a.size(); ++d) least.push_back(smaller(a[d], b[d]));
  return least;
}

InstructionId Bounded::valid(Dimensions dimensions, const Sizes& own, const Dimensions& only) {
  InstructionId all = kNone;
  for (int64_t d : only) {
    if (own[d] == kNone) continue;
    const InstructionId here = compare(r, iota(r, kS32, dimensions, d),
                                       broadcast(r, own[d], dimensions), hlo::Direction::kLt);
    all = all == kNone ? here : binary(r, Opcode::kAnd, all, here);
  }
  return all;
}

InstructionId Bounded::masked(InstructionId x, const Sizes& own, InstructionId scalar,
                              const Dimensions& only) {
  const Dimensions dimensions = r.shape(x).dimensions;
  const InstructionId mask = valid(dimensions, own, only);
  return mask == kNone ? x : select(r, mask, x, broadcast(r, scalar, dimensions));
}

InstructionId Bounded::masked_with_zeros(InstructionId x, const Sizes& own,
                                         const Dimensions& only) {
  return masked(x, own, constant(r, Literal::zeros(Shape::scalar(r.type(x)))), only);
}

InstructionId apply_rules(std::span<const DynamicRule> rules, Rewriter& r, SizeMap& sizes,
                          const Instruction& instruction) {
  Bounded bounded{r, sizes};
  for (const DynamicRule& rule : rules)
    if (rule.opcode == instruction.opcode) return rule.apply(bounded, instruction);
  return kNone;
}

InstructionId on_bounds(Bounded& s, Instruction instruction) {
  instruction.shape = static_shape(std::move(instruction.shape));
  return s.r.add(std::move(instruction));
}

bool any_dynamic(const Sizes& sizes, const Dimensions& dimensions) {
  return std::any_of(dimensions.begin(), dimensions.end(),
                     [&](int64_t d) { return sizes[d] != kNone; });
}

Sizes common_sizes(Bounded& s, const Instruction& i, size_t count) {
  Sizes sizes = s.of(i.operands[0]);
  for (size_t k = 1; k < count; ++k) sizes = s.smaller(sizes, s.of(i.operands[k]));
  return sizes;
}

InstructionId with_sizes(Bounded& s, InstructionId id, const Sizes& sizes) {
  if (!s.r.shape(id).is_tuple()) return s.with(id, sizes);
  std::vector<InstructionId> elements;
  for (size_t k = 0; k < s.r.shape(id).tuple.size(); ++k)
    elements.push_back(s.with(element(s.r, id, static_cast<int64_t>(k)), sizes));
  return tuple(s.r, std::move(elements));
}

InstructionId without_last(Bounded& s, InstructionId id, size_t count, bool is_tuple,
                           const Sizes& sizes) {
  std::vector<InstructionId> elements;
  for (size_t k = 0; k < count; ++k)
    elements.push_back(s.with(element(s.r, id, static_cast<int64_t>(k)), sizes));
  return is_tuple ? tuple(s.r, std::move(elements)) : elements[0];
}

Shape with_pred(const Shape& shape) {
  const Shape plain = static_shape(shape);
  std::vector<Shape> elements = plain.is_tuple() ? plain.tuple : std::vector{plain};
  elements.push_back(Shape::array(kPred, elements[0].dimensions));
  return Shape::make_tuple(std::move(elements));
}

}  // namespace hlocc::transforms
