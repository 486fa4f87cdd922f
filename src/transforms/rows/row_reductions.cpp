// Which reductions take rows one after the other; see row_schedule.h.
#include "hlo/dimensions.h"
#include "ops/reducer.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::Module;
using hlo::Opcode;

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
  if (op.opcode != Opcode::kReduce) return false;
  const auto type = op.shape.element_type;
  // Those of several arrays have no plain one.
  const auto reducer = ops::plain_reducer(module.computations[op.called[0]]);
  const Instruction& initial = computation.operand(op, 1);
  if (!reducer || initial.opcode != Opcode::kConstant) return false;
  if (!ops::is_identity(*reducer, initial.get<hlo::ConstantAttributes>().value)) return false;
  if (op.get<hlo::DimensionsAttributes>().dimensions.empty()) return false;
  if (is_ordered_sum(module, op)) return keeps_order(computation, op);
  return (hlo::is_integer(type) && *reducer != Opcode::kMultiply) || *reducer == Opcode::kMaximum ||
         *reducer == Opcode::kMinimum;
}

}  // namespace hlocc::transforms
