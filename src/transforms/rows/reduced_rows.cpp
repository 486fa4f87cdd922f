// See reduced_rows.h.
#include "transforms/rows/reduced_rows.h"

#include "hlo/dimensions.h"
#include "interpreter/strided.h"
#include "ops/reducer.h"
#include "transforms/build.h"

namespace hlocc::transforms {

int64_t reduced_rows(const Computation& computation, const Instruction& reduction) {
  const hlo::Dimensions& from = computation.operand(reduction, 0).shape.dimensions;
  int64_t rows = -1;
  for (int64_t d : reduction.get<hlo::DimensionsAttributes>().dimensions)
    if (rows < 0 || std::pair(from[d] == 1, d) < std::pair(from[rows] == 1, rows)) rows = d;
  return rows;
}

bool is_ordered_sum(const Module& module, const Instruction& reduction) {
  return hlo::is_float(reduction.shape.element_type) &&
         ops::plain_reducer(module.computations[reduction.called[0]]) == Opcode::kAdd;
}

namespace {

// Elements of a row are added one by one: so many at most.
constexpr int64_t kMostAdded = 64;

// A product may be rounded once together with a sum that it goes into.
bool keeps_order(const Computation& c, const Instruction& op) {
  const Instruction& rows = c.operand(op, 0);
  const hlo::Dimensions& gone = op.get<hlo::DimensionsAttributes>().dimensions;
  const auto type = op.shape.element_type;
  if (type != hlo::PrimitiveType::kF32 && type != hlo::PrimitiveType::kF64) return false;
  if (rows.opcode == Opcode::kMultiply || hlo::contains(gone, rows.shape.rank() - 1)) return false;
  int64_t in_all = 1;
  for (int64_t d : gone) in_all *= rows.shape.dimensions[d];
  return in_all <= kMostAdded * rows.shape.dimensions[reduced_rows(c, op)];
}

}  // namespace

bool reduces_rows(const Module& module, const Computation& computation, const Instruction& op) {
  if (op.opcode != Opcode::kReduce || op.operands.size() != 2) return false;
  const auto type = op.shape.element_type;
  const auto reducer = ops::plain_reducer(module.computations[op.called[0]]);
  const Instruction& initial = computation.operand(op, 1);
  if (!reducer || initial.opcode != Opcode::kConstant) return false;
  if (!ops::is_identity(*reducer, initial.get<hlo::ConstantAttributes>().value)) return false;
  if (op.get<hlo::DimensionsAttributes>().dimensions.empty()) return false;
  if (is_ordered_sum(module, op)) return keeps_order(computation, op);
  return (hlo::is_integer(type) && *reducer != Opcode::kMultiply) || *reducer == Opcode::kMaximum ||
         *reducer == Opcode::kMinimum;
}

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
