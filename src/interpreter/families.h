// One overload an op: its meaning. The dispatch table in dispatch.cpp names them from the rows of
// opcodes.def that say kInterpreted, so that a row without its overload here (or in elementwise.h)
// does not compile. Operands are literals of the instruction's operands, dense and row-major;
// results are in the shape of the instruction.
#pragma once
#include "interpreter/context.h"

namespace hlocc::interpreter {

#define HLOCC_EVALUATE(opcode)                                             \
  Result<Literal> evaluate(hlo::Op<hlo::Opcode::opcode>, Context& context, \
                           const hlo::Instruction& instruction, Operands operands);
// clang-format off
// source.cpp
HLOCC_EVALUATE(kConstant) HLOCC_EVALUATE(kIota)
// structure.cpp
HLOCC_EVALUATE(kTuple) HLOCC_EVALUATE(kGetTupleElement) HLOCC_EVALUATE(kOptBarrier)
HLOCC_EVALUATE(kDomain) HLOCC_EVALUATE(kAddDependency) HLOCC_EVALUATE(kAfterAll)
// data_movement.cpp
HLOCC_EVALUATE(kCopy) HLOCC_EVALUATE(kBitcast) HLOCC_EVALUATE(kBitcastConvert)
HLOCC_EVALUATE(kBroadcast) HLOCC_EVALUATE(kReshape) HLOCC_EVALUATE(kTranspose)
HLOCC_EVALUATE(kReverse) HLOCC_EVALUATE(kSlice) HLOCC_EVALUATE(kDynamicSlice)
HLOCC_EVALUATE(kDynamicUpdateSlice) HLOCC_EVALUATE(kConcatenate) HLOCC_EVALUATE(kPad)
// gather_scatter.cpp
HLOCC_EVALUATE(kGather) HLOCC_EVALUATE(kScatter)
// dot.cpp, ragged_dot.cpp, contraction_types.cpp, convolution.cpp
HLOCC_EVALUATE(kDot) HLOCC_EVALUATE(kRaggedDot) HLOCC_EVALUATE(kScaledDot)
HLOCC_EVALUATE(kConvolution)
// reduce.cpp, window.cpp
HLOCC_EVALUATE(kReduce) HLOCC_EVALUATE(kReduceWindow) HLOCC_EVALUATE(kSelectAndScatter)
// sort.cpp
HLOCC_EVALUATE(kSort) HLOCC_EVALUATE(kTopK)
// fft.cpp, linear_algebra.cpp, batch_norm.cpp
HLOCC_EVALUATE(kFft) HLOCC_EVALUATE(kCholesky) HLOCC_EVALUATE(kTriangularSolve)
HLOCC_EVALUATE(kBatchNormTraining) HLOCC_EVALUATE(kBatchNormInference)
HLOCC_EVALUATE(kBatchNormGrad)
// random.cpp
HLOCC_EVALUATE(kRngBitGenerator) HLOCC_EVALUATE(kRng) HLOCC_EVALUATE(kRngGetAndUpdateState)
// control_flow.cpp
HLOCC_EVALUATE(kParameter) HLOCC_EVALUATE(kWhile) HLOCC_EVALUATE(kConditional) HLOCC_EVALUATE(kCall)
HLOCC_EVALUATE(kFusion) HLOCC_EVALUATE(kMap) HLOCC_EVALUATE(kScan)
// collective.cpp
HLOCC_EVALUATE(kReplicaId) HLOCC_EVALUATE(kPartitionId) HLOCC_EVALUATE(kAsyncStart)
HLOCC_EVALUATE(kAsyncUpdate) HLOCC_EVALUATE(kAsyncDone) HLOCC_EVALUATE(kCopyStart)
HLOCC_EVALUATE(kCopyDone) HLOCC_EVALUATE(kAllReduce) HLOCC_EVALUATE(kAllReduceStart)
HLOCC_EVALUATE(kReduceScatter) HLOCC_EVALUATE(kCollectiveReduce) HLOCC_EVALUATE(kAllGather)
HLOCC_EVALUATE(kAllGatherStart) HLOCC_EVALUATE(kAllToAll) HLOCC_EVALUATE(kCollectivePermute)
HLOCC_EVALUATE(kCollectivePermuteStart) HLOCC_EVALUATE(kCollectiveBroadcast)
HLOCC_EVALUATE(kAllReduceDone) HLOCC_EVALUATE(kAllGatherDone) HLOCC_EVALUATE(kCollectivePermuteDone)
// dynamic.cpp
HLOCC_EVALUATE(kDynamicReshape) HLOCC_EVALUATE(kGetDimensionSize) HLOCC_EVALUATE(kSetDimensionSize)
// custom_call.cpp
HLOCC_EVALUATE(kCustomCall)
// clang-format on
#undef HLOCC_EVALUATE

}  // namespace hlocc::interpreter
