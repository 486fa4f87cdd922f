// Ops that only group or order values: tuples, barriers, tokens.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

// The operand's shape, whatever it is.
Result<Shape> infer_identity(const Site& site);

Result<Shape> infer(Op<Opcode::kTuple>, const Site& site);
Result<Shape> infer(Op<Opcode::kGetTupleElement>, const Site& site);
inline Result<Shape> infer(Op<Opcode::kOptBarrier>, const Site& s) { return infer_identity(s); }
inline Result<Shape> infer(Op<Opcode::kDomain>, const Site& s) { return infer_identity(s); }
Result<Shape> infer(Op<Opcode::kAddDependency>, const Site& site);
Result<Shape> infer(Op<Opcode::kAfterAll>, const Site& site);

}  // namespace hlocc::ops
