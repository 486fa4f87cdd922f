// See reduced_rows.h.
#include "transforms/rows/reduced_rows.h"

#include "interpreter/strided.h"
#include "transforms/build.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

namespace {

// One element of the rows after the other, as the reduction of all would take them.
InstructionId added_in_order(Rewriter& r, const Dimensions& gone, InstructionId sum,
                             InstructionId rows) {
  const Dimensions from = r.shape(rows).dimensions, to = r.shape(sum).dimensions;
  Dimensions counted(from.size(), 1), index(from.size(), 0);
  for (int64_t d : gone) counted[d] = from[d];
  do {
    hlo::SliceAttributes part{index, from, Dimensions(from.size(), 1)};
    for (int64_t d : gone) part.limits[d] = index[d] + 1;
    const InstructionId element = r.add(Opcode::kSlice, {rows}, std::move(part));
    sum = binary(r, Opcode::kAdd, sum, reshape(r, element, to));
  } while (interpreter::next_index(index, counted));
  return sum;
}

}  // namespace

InstructionId with_reduced_rows(Rewriter& r, Instruction reduction, Literal initial,
                                InstructionId sum, InstructionId rows) {
  if (is_ordered_sum(r.module(), reduction))
    return added_in_order(r, reduction.get<hlo::DimensionsAttributes>().dimensions, sum, rows);
  const auto reducer = r.module().computations[reduction.called[0]].root_instruction().opcode;
  reduction.name.clear();
  reduction.operands = {rows, constant(r, std::move(initial))};
  const InstructionId part = r.add(std::move(reduction));
  return binary(r, reducer, sum, part);
}

}  // namespace hlocc::transforms
