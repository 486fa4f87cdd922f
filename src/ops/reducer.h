// Reducers that are plain binary operations, add or maximum say: what most reductions use, and what
// interpreter and lowering may run without calling a computation.
#pragma once
#include <optional>

#include "hlo/module.h"

namespace hlocc::ops {

// add, multiply, maximum, minimum, and, or, xor where the computation is that operation on its two
// scalar parameters, in either order; nothing otherwise.
std::optional<hlo::Opcode> plain_reducer(const hlo::Computation& computation);

// The scalar that leaves the other operand as it is: 0 for add, -inf (or the lowest number) for
// maximum, all ones for and. No value where a type has none, as f8e8m0fnu has no zero. The zero is
// the positive one.
std::optional<hlo::Literal> identity_of(hlo::Opcode reducer, hlo::PrimitiveType type);

// True if `value`, a scalar, is such an identity: for add either zero is.
bool is_identity(hlo::Opcode reducer, const hlo::Literal& value);

}  // namespace hlocc::ops
