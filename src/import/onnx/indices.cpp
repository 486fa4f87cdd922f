// See indices.h.
#include "import/onnx/indices.h"

#include <algorithm>

#include "import/build/numbers.h"
#include "support/text.h"

namespace hlocc::import::onnx {

using enum PrimitiveType;

InstructionId from_front(Builder& b, InstructionId indices, int64_t size) {
  if (!hlo::is_integer(b.type(indices)))
    b.fail(error(DiagnosticKind::kType, cat("indices of ", b.shape(indices))));
  const InstructionId narrow = b.convert(indices, kS32);
  if (const std::optional<Literal> known = b.known(indices)) {
    const std::vector<int64_t> all = integers_of(*known);
    if (std::none_of(all.begin(), all.end(), [](int64_t i) { return i < 0; })) return narrow;
  }
  const InstructionId is_below = b.compare(narrow, b.like(narrow, 0), hlo::Direction::kLt);
  return b.select(is_below, b.with(Opcode::kAdd, narrow, static_cast<double>(size)), narrow);
}

InstructionId flat_places(Builder& b, const Dimensions& x, InstructionId indices, int64_t axis) {
  const Dimensions sizes = b.sizes(indices), strides = hlo::row_major_strides(x);
  InstructionId flat = b.with(Opcode::kMultiply, indices, static_cast<double>(strides[axis]));
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
    if (d == axis || sizes[d] == 1) continue;
    const InstructionId own =
        b.with(Opcode::kMultiply, b.iota(kS32, sizes, d), static_cast<double>(strides[d]));
    flat = b.binary(Opcode::kAdd, flat, own);
  }
  return flat;
}

InstructionId elements_along(Builder& b, InstructionId x, InstructionId indices, int64_t axis) {
  const Dimensions sizes = b.sizes(x);
  const InstructionId table = b.reshape(x, {b.shape(x).element_count()});
  return b.lookup(table, flat_places(b, sizes, from_front(b, indices, sizes[axis]), axis));
}

InstructionId with_last(Builder& b, InstructionId x, int64_t axis) {
  Dimensions permutation = counting(b.rank(x));
  permutation.erase(permutation.begin() + axis);
  permutation.push_back(axis);
  return b.transpose(x, permutation);
}

Dimensions from_last(int64_t rank, int64_t axis) {
  Dimensions permutation = counting(rank - 1);
  permutation.insert(permutation.begin() + axis, rank - 1);
  return permutation;
}

}  // namespace hlocc::import::onnx
