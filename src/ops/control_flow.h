// Ops that run computations: loops, branches, calls. The computations' signatures must fit the
// operands.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kWhile>, const Site& site);
Result<Shape> infer(Op<Opcode::kConditional>, const Site& site);
Result<Shape> infer(Op<Opcode::kCall>, const Site& site);
Result<Shape> infer(Op<Opcode::kFusion>, const Site& site);
Result<Shape> infer(Op<Opcode::kCustomCall>, const Site& site);
Result<Shape> infer(Op<Opcode::kScan>, const Site& site);

}  // namespace hlocc::ops
