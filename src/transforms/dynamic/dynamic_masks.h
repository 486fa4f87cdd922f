// The sizes of the computation being built, masks over several dimensions at once, and what the
// rules for arrays of run-time size share.
#pragma once
#include <span>

#include "transforms/dynamic/dynamic_sizes.h"

namespace hlocc::transforms {

struct Bounded {
  Rewriter& r;
  SizeMap& sizes;

  bool has(InstructionId id) const { return sizes.is_dynamic(id); }
  Sizes of(InstructionId id) const { return sizes.all(id); }
  InstructionId with(InstructionId id, const Sizes& own) { return sizes.note(id, own); }
  // a + b, and the smaller of two sizes, either of which may be the bound.
  InstructionId add(InstructionId a, int64_t b) { return b == 0 ? a : sizes.add(a, sizes.s32(b)); }
  InstructionId smaller(InstructionId a, InstructionId b);
  Sizes smaller(const Sizes& a, const Sizes& b);

  // pred[dimensions]: which elements are meant, looking at the given dimensions only; kNone if all
  // are.
  InstructionId valid(Dimensions dimensions, const Sizes& own, const Dimensions& only);
  // x with a scalar (or zeros) in place of what is not meant.
  InstructionId masked(InstructionId x, const Sizes& own, InstructionId scalar,
                       const Dimensions& only);
  InstructionId masked_with_zeros(InstructionId x, const Sizes& own, const Dimensions& only);
};

// A rule gives what the instruction becomes on arrays of the bounds, its sizes noted, or kNone if
// it can't be served.
struct DynamicRule {
  Opcode opcode;
  InstructionId (*apply)(Bounded&, const Instruction&);
};
InstructionId apply_rules(std::span<const DynamicRule> rules, Rewriter& r, SizeMap& sizes,
                          const Instruction& instruction);

// The instruction on arrays of the bounds, as if nothing were dynamic.
InstructionId on_bounds(Bounded& s, Instruction instruction);
bool any_dynamic(const Sizes& sizes, const Dimensions& dimensions);
// The sizes that the first `count` operands have in common.
Sizes common_sizes(Bounded& s, const Instruction& i, size_t count);
// Sizes that hold for every array of a tuple are told to each of its elements.
InstructionId with_sizes(Bounded& s, InstructionId id, const Sizes& sizes);
// The first `count` elements of a tuple that has one more, as the op's own result would be.
InstructionId without_last(Bounded& s, InstructionId id, size_t count, bool is_tuple,
                           const Sizes& sizes);
// A tuple of the shape's arrays and one of pred.
Shape with_pred(const Shape& shape);

}  // namespace hlocc::transforms
