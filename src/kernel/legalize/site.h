// Site: one op that is being rewritten, as an expansion sees it. Its types are the op's own; its
// operands have been rewritten already and have held types, so that an f16 comes in as its code in
// a u16.
#pragma once
#include <span>

#include "kernel/legalize/expression.h"
#include "target/target.h"

namespace hlocc::kernel {

// The type in which a rewritten kernel keeps values of a type: small floats as unsigned codes,
// sub-byte integers in eight bits (sign- or zero-extended), everything else as it is.
Scalar held_scalar(Scalar scalar);
inline Type held_type(Type type) { return type.with(held_scalar(type.scalar)); }

struct Site {
  Builder& builder;
  const Target& target;
  const Op& op;
  Type type;  // of the result
  Type from;  // of the first operand; of the tiles that a sum of tiles takes; or else the result's
  std::span<const ValueId> operands;

  Expr operand(int i) const { return {builder, operands[i]}; }
};

using Expansion = Expr (*)(const Site& site);

// True if the machine rounds a * b + c once in hardware for this float width.
bool has_native_fma(const Target& target, Scalar scalar);
// True if one instruction multiplies vectors of the type by powers of two, subnormal results
// included: AVX-512's.
bool has_native_scale(const Target& target, Type type);

}  // namespace hlocc::kernel
