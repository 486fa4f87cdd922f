// Run-time sizes beside arrays of their bounds; see resolve_dynamic_shapes.cpp.
#pragma once
#include <map>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// One entry a dimension: the s32 scalar that holds its size, or kNone where the size is the bound.
using Sizes = std::vector<InstructionId>;

// Sizes of the values of the computation being built; a value without an entry is as large as its
// shape says.
class SizeMap {
 public:
  explicit SizeMap(Rewriter& r) : r_(r) {}

  bool is_dynamic(InstructionId id) const { return sizes_.count(id) > 0; }
  // kNone: the bound.
  InstructionId of(InstructionId id, int64_t dimension) const;
  // The size as a value, a constant where it is the bound.
  InstructionId value_of(InstructionId id, int64_t dimension);
  // Notes sizes and gives the id back; forgets sizes that are all bounds.
  InstructionId note(InstructionId id, Sizes sizes);
  Sizes all(InstructionId id) const;

  // The array with `value` (a scalar) wherever an index is not below the size of its dimension.
  // Dimensions named only.
  InstructionId masked(InstructionId id, InstructionId value, const Dimensions& dimensions);

  // --- s32 scalars ---
  InstructionId s32(int64_t value);
  InstructionId add(InstructionId a, InstructionId b) { return arithmetic(Opcode::kAdd, a, b); }
  InstructionId subtract(InstructionId a, InstructionId b) {
    return arithmetic(Opcode::kSubtract, a, b);
  }
  InstructionId multiply(InstructionId a, InstructionId b) {
    return arithmetic(Opcode::kMultiply, a, b);
  }
  InstructionId smaller(InstructionId a, InstructionId b) {
    return arithmetic(Opcode::kMinimum, a, b);
  }
  InstructionId larger(InstructionId a, InstructionId b) {
    return arithmetic(Opcode::kMaximum, a, b);
  }
  InstructionId divide(InstructionId a, InstructionId b) {
    return arithmetic(Opcode::kDivide, a, b);
  }
  InstructionId arithmetic(Opcode opcode, InstructionId a, InstructionId b);

 private:
  Rewriter& r_;
  std::map<InstructionId, Sizes> sizes_;
};

// The shape of the bounds alone.
Shape static_shape(Shape shape);

// The elements that count, in row-major order, under other sizes: result bounds in `bounds`.
InstructionId dynamic_reshape(Rewriter& r, SizeMap& sizes, InstructionId x,
                              const Dimensions& bounds, Sizes new_sizes);

}  // namespace hlocc::transforms
