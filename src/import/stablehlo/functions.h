// What the functions of `chlo` share: formulas of real numbers applied to an operation's operand.
#pragma once
#include <cmath>
#include <limits>

#include "hlo/small_float.h"
#include "import/build/numbers.h"
#include "import/stablehlo/op.h"
#include "import/stablehlo/real.h"

namespace hlocc::import::stablehlo {

// The largest finite number of a type.
double largest_number(PrimitiveType type);
// A function of the operand. `in_f32`: narrower types are computed in f32. Complex operands take an
// operation of HLO's, unless that is kTuple.
InstructionId real_function(const Op& op, Real (*function)(Real), bool in_f32,
                            Opcode of_complex = Opcode::kTuple);

// Of f32 and f64.
Real lgamma(Real x);
Real digamma(Real x);
Real zeta(Real x, Real q);

}  // namespace hlocc::import::stablehlo
