// Ops that place elements elsewhere without changing them: copy, reshape, slice, pad, and their
// kin.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kCopy>, const Site& site);
Result<Shape> infer(Op<Opcode::kBitcast>, const Site& site);
Result<Shape> infer(Op<Opcode::kBitcastConvert>, const Site& site);
Result<Shape> infer(Op<Opcode::kBroadcast>, const Site& site);
Result<Shape> infer(Op<Opcode::kReshape>, const Site& site);
Result<Shape> infer(Op<Opcode::kTranspose>, const Site& site);
Result<Shape> infer(Op<Opcode::kReverse>, const Site& site);
Result<Shape> infer(Op<Opcode::kSlice>, const Site& site);
Result<Shape> infer(Op<Opcode::kDynamicSlice>, const Site& site);
Result<Shape> infer(Op<Opcode::kDynamicUpdateSlice>, const Site& site);
Result<Shape> infer(Op<Opcode::kConcatenate>, const Site& site);
Result<Shape> infer(Op<Opcode::kPad>, const Site& site);
Result<Shape> infer(Op<Opcode::kShuffle>, const Site& site);

// Array of the operand's element type with the declared dimensions: the element counts must agree.
Result<Shape> infer_reshaped(const Site& site);

}  // namespace hlocc::ops
