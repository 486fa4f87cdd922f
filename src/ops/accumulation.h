// How many floats are added up into one: what the rounding of a result grows with, and what the
// order of a sum, which HLO leaves open, may change (docs/numerics.md).
#pragma once
#include "hlo/module.h"

namespace hlocc::ops {

// The most terms that one instruction adds up into an element of floats or complex numbers:
// products of a dot or a convolution, elements of a reduction, a scan or a window, updates of a
// scatter, points of a transform, rows of a triangular matrix. 1 where nothing is added up.
int64_t terms_of(const hlo::Module& module, const hlo::Computation& computation,
                 const hlo::Instruction& instruction);
// That of the whole module.
int64_t longest_accumulation(const hlo::Module& module);

}  // namespace hlocc::ops
