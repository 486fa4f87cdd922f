// The index ops: how each answers element(index). Elementwise ops share two templates over a table
// of kernel ops; the others have an overload each, in the file of their family.
#pragma once
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

// Elementwise ops of the table in elementwise.cpp, complex ones included.
Element elementwise(Emitter& emitter, const hlo::Instruction& instruction, const Index& index);

#define HLOCC_ELEMENTWISE(opcode)                                                             \
  inline Element element(hlo::Op<hlo::Opcode::opcode>, Emitter& e, const hlo::Instruction& i, \
                         const Index& at) {                                                   \
    return elementwise(e, i, at);                                                             \
  }
HLOCC_ELEMENTWISE(kAbs)
HLOCC_ELEMENTWISE(kNegate)
HLOCC_ELEMENTWISE(kSign)
HLOCC_ELEMENTWISE(kNot)
HLOCC_ELEMENTWISE(kCeil)
HLOCC_ELEMENTWISE(kFloor)
HLOCC_ELEMENTWISE(kRoundNearestAfz)
HLOCC_ELEMENTWISE(kRoundNearestEven)
HLOCC_ELEMENTWISE(kIsFinite)
HLOCC_ELEMENTWISE(kReal)
HLOCC_ELEMENTWISE(kImag)
HLOCC_ELEMENTWISE(kPopcnt)
HLOCC_ELEMENTWISE(kClz)
HLOCC_ELEMENTWISE(kConvert)
HLOCC_ELEMENTWISE(kExp)
HLOCC_ELEMENTWISE(kExpm1)
HLOCC_ELEMENTWISE(kLog)
HLOCC_ELEMENTWISE(kLog1p)
HLOCC_ELEMENTWISE(kSqrt)
HLOCC_ELEMENTWISE(kRsqrt)
HLOCC_ELEMENTWISE(kCbrt)
HLOCC_ELEMENTWISE(kTanh)
HLOCC_ELEMENTWISE(kLogistic)
HLOCC_ELEMENTWISE(kSin)
HLOCC_ELEMENTWISE(kCos)
HLOCC_ELEMENTWISE(kTan)
HLOCC_ELEMENTWISE(kErf)
HLOCC_ELEMENTWISE(kAcos)
HLOCC_ELEMENTWISE(kAcosh)
HLOCC_ELEMENTWISE(kAsin)
HLOCC_ELEMENTWISE(kAsinh)
HLOCC_ELEMENTWISE(kAtan)
HLOCC_ELEMENTWISE(kAtanh)
HLOCC_ELEMENTWISE(kSinh)
HLOCC_ELEMENTWISE(kCosh)
HLOCC_ELEMENTWISE(kReducePrecision)
HLOCC_ELEMENTWISE(kAdd)
HLOCC_ELEMENTWISE(kSubtract)
HLOCC_ELEMENTWISE(kMultiply)
HLOCC_ELEMENTWISE(kDivide)
HLOCC_ELEMENTWISE(kRemainder)
HLOCC_ELEMENTWISE(kMaximum)
HLOCC_ELEMENTWISE(kMinimum)
HLOCC_ELEMENTWISE(kPower)
HLOCC_ELEMENTWISE(kAnd)
HLOCC_ELEMENTWISE(kOr)
HLOCC_ELEMENTWISE(kXor)
HLOCC_ELEMENTWISE(kShiftLeft)
HLOCC_ELEMENTWISE(kShiftRightArithmetic)
HLOCC_ELEMENTWISE(kShiftRightLogical)
HLOCC_ELEMENTWISE(kAtan2)
HLOCC_ELEMENTWISE(kComplex)
HLOCC_ELEMENTWISE(kMulhi)
HLOCC_ELEMENTWISE(kStochasticConvert)
HLOCC_ELEMENTWISE(kCompare)
HLOCC_ELEMENTWISE(kSelect)
HLOCC_ELEMENTWISE(kClamp)
HLOCC_ELEMENTWISE(kMap)
#undef HLOCC_ELEMENTWISE

#define HLOCC_INDEX_OP(opcode)                                    \
  Element element(hlo::Op<hlo::Opcode::opcode>, Emitter& emitter, \
                  const hlo::Instruction& instruction, const Index& index);
HLOCC_INDEX_OP(kConstant)
HLOCC_INDEX_OP(kIota)
HLOCC_INDEX_OP(kReplicaId)
HLOCC_INDEX_OP(kPartitionId)
HLOCC_INDEX_OP(kCopy)
HLOCC_INDEX_OP(kBitcast)
HLOCC_INDEX_OP(kBitcastConvert)
HLOCC_INDEX_OP(kBroadcast)
HLOCC_INDEX_OP(kReshape)
HLOCC_INDEX_OP(kTranspose)
HLOCC_INDEX_OP(kReverse)
HLOCC_INDEX_OP(kSlice)
HLOCC_INDEX_OP(kDynamicSlice)
HLOCC_INDEX_OP(kConcatenate)
HLOCC_INDEX_OP(kPad)
HLOCC_INDEX_OP(kGather)
#undef HLOCC_INDEX_OP

// Elementwise formulas on values alone, for embedded computations (reducers, comparators) too:
// `operands` in order, lanes of all alike.
Element apply(Emitter& emitter, const hlo::Instruction& instruction,
              std::span<const hlo::Shape> operand_shapes, std::span<const Element> operands,
              int lanes);
// The same for complex operands or results.
Element apply_complex(Emitter& emitter, const hlo::Instruction& instruction,
                      std::span<const hlo::Shape> operand_shapes, std::span<const Element> operands,
                      int lanes);
// A select whose longer arm hides behind a branch; none where that does not pay.
std::optional<Element> select_lazily(Emitter& emitter, const hlo::Instruction& instruction,
                                     const Index& index);
// The operand's dimension that the slices' dimension `lane_dim` of a gather's result runs along;
// kNone for the others.
int gathered_dimension(const hlo::GatherAttributes& gather, int operand_rank, int lane_dim);
// min(max(start, 0), limit) as an index; start of any integer type, taken in its own signedness.
kernel::ValueId clamped_start(Emitter& emitter, kernel::ValueId start, int64_t limit);

}  // namespace hlocc::lowering
