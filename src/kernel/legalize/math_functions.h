// Math functions that stand in the code once. A polynomial of forty instructions at every use is
// what registers and pipelines like and what flash does not: where that is constrained, a function
// used more than a few times stays an op, and the backend makes one internal function of it.
// Everywhere else legalisation writes out every use. Vectors have functions of their own, of as
// many lanes as a register has: where the compiler is asked for size.
#pragma once
#include <optional>
#include <set>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::kernel {

// An op on f32 or f64, one value at a time, whose legal form is long.
bool is_math_function(OpKind kind, Type type);

struct MathFunction {
  OpKind kind;
  Scalar scalar;
  int lanes = 1;
  auto operator<=>(const MathFunction&) const = default;
};
// What computes an op that may stay: what verify_legal lets pass and a backend must be able to
// call, once for every `lanes` of the op's type. Nothing where such ops are written out.
std::optional<MathFunction> math_function_for(OpKind kind, Type type, const Target& target);

using MathFunctions = std::set<MathFunction>;
// Those that this program (not yet legalised) uses often enough to call them.
MathFunctions called_functions(const Program& program, const Target& target);

// What a call computes, legal and written out: a kernel that reads each operand from a buffer of
// `lanes` elements and writes the result to the last.
Result<Kernel> math_function(OpKind kind, Scalar scalar, const Target& target, int lanes = 1);

}  // namespace hlocc::kernel
