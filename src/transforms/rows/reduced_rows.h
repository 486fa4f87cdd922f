// Reductions of rows that come one after the other: which may be taken so, and how.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Of a reduction, the dimension that counts its rows: the first of those that go which has several
// elements.
int64_t reduced_rows(const hlo::Computation& computation, const hlo::Instruction& reduction);

// Reductions whose rows may be taken one after the other: sums of integers, maxima and minima in
// any order, sums of floats in the order of the rows and of the elements of each. Lowering adds up
// floats so where their last dimension stays; elsewhere lanes have sums of their own, and narrow
// types are added up in wider ones.
bool reduces_rows(const hlo::Module& module, const hlo::Computation& computation,
                  const hlo::Instruction& op);
// One of floats: the order of its elements decides about bits.
bool is_ordered_sum(const hlo::Module& module, const hlo::Instruction& reduction);

// `sum` with some more rows; `reduction` is of all of them, and begins from `initial`.
InstructionId with_reduced_rows(Rewriter& r, Instruction reduction, Literal initial,
                                InstructionId sum, InstructionId rows);

}  // namespace hlocc::transforms
