// What slices, transposes, reversals and reshapes of an input in memory come to: a place and a
// stride a dimension. One load instead of index arithmetic from op to op, and lanes pass wherever
// the stride is 1.
#pragma once
#include <functional>
#include <optional>

#include "hlo/module.h"

namespace hlocc::lowering {

// Element [i, j, ...] stands at offset + i * strides[0] + j * strides[1] + ... of the input, in
// elements.
struct StridedView {
  hlo::InstructionId input = hlo::kNone;
  int64_t offset = 0;
  hlo::Dimensions strides;  // 0 where the dimension has one element
};

// The input itself.
StridedView whole_view(hlo::InstructionId input, const hlo::Shape& shape);
// The view that `instruction` is of its first operand, of shape `from` and seen as `operand`; none
// where it is no view, or one without such strides.
std::optional<StridedView> view_through(const hlo::Instruction& instruction, const hlo::Shape& from,
                                        const StridedView& operand);

// Dimensions [from_begin, from_end) of one shape and [to_begin, to_end) of another that hold the
// same elements.
struct ReshapeRun {
  size_t from_begin, from_end, to_begin, to_end;
};
// Splits a reshape into the finest runs, so that dimensions that stay don't get mixed with those
// that change.
std::vector<ReshapeRun> reshape_runs(const hlo::Dimensions& from, const hlo::Dimensions& to);

}  // namespace hlocc::lowering
