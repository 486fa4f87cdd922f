// The elementwise family: a kernel for each op, and the evaluator that applies kernels to whole
// arrays.
#pragma once
#include <optional>

#include "interpreter/context.h"
#include "interpreter/kernel.h"

namespace hlocc::interpreter {

using hlo::Op;
using hlo::Opcode;

// One overload an op; without it the op's row in opcodes.def may not say kInterpreted. Returns a
// kernel without `run` where the op does not allow the type.
#define HLOCC_KERNEL(opcode) Kernel kernel(Op<Opcode::opcode>, const KernelRequest& request);
// clang-format off
// elementwise_arithmetic.cpp
HLOCC_KERNEL(kAbs) HLOCC_KERNEL(kNegate) HLOCC_KERNEL(kSign) HLOCC_KERNEL(kAdd)
HLOCC_KERNEL(kSubtract) HLOCC_KERNEL(kMultiply) HLOCC_KERNEL(kDivide) HLOCC_KERNEL(kRemainder)
HLOCC_KERNEL(kMaximum) HLOCC_KERNEL(kMinimum) HLOCC_KERNEL(kPower) HLOCC_KERNEL(kMulhi)
HLOCC_KERNEL(kClamp)
// elementwise_bits.cpp
HLOCC_KERNEL(kNot) HLOCC_KERNEL(kAnd) HLOCC_KERNEL(kOr) HLOCC_KERNEL(kXor) HLOCC_KERNEL(kShiftLeft)
HLOCC_KERNEL(kShiftRightArithmetic) HLOCC_KERNEL(kShiftRightLogical) HLOCC_KERNEL(kPopcnt)
HLOCC_KERNEL(kClz)
// elementwise_rounding.cpp
HLOCC_KERNEL(kCeil) HLOCC_KERNEL(kFloor) HLOCC_KERNEL(kRoundNearestAfz)
HLOCC_KERNEL(kRoundNearestEven) HLOCC_KERNEL(kIsFinite) HLOCC_KERNEL(kReducePrecision)
// elementwise_transcendental.cpp
HLOCC_KERNEL(kExp) HLOCC_KERNEL(kExpm1) HLOCC_KERNEL(kLog) HLOCC_KERNEL(kLog1p) HLOCC_KERNEL(kSqrt)
HLOCC_KERNEL(kRsqrt) HLOCC_KERNEL(kCbrt) HLOCC_KERNEL(kTanh) HLOCC_KERNEL(kLogistic)
HLOCC_KERNEL(kSin) HLOCC_KERNEL(kCos) HLOCC_KERNEL(kTan) HLOCC_KERNEL(kErf) HLOCC_KERNEL(kAcos)
HLOCC_KERNEL(kAcosh) HLOCC_KERNEL(kAsin) HLOCC_KERNEL(kAsinh) HLOCC_KERNEL(kAtan)
HLOCC_KERNEL(kAtanh) HLOCC_KERNEL(kSinh) HLOCC_KERNEL(kCosh) HLOCC_KERNEL(kAtan2)
// elementwise_convert.cpp
HLOCC_KERNEL(kConvert) HLOCC_KERNEL(kStochasticConvert) HLOCC_KERNEL(kReal) HLOCC_KERNEL(kImag)
HLOCC_KERNEL(kComplex)
// elementwise_compare.cpp
HLOCC_KERNEL(kCompare) HLOCC_KERNEL(kSelect)
// clang-format on
#undef HLOCC_KERNEL

        template <Opcode opcode>
        concept HasKernel = requires(const KernelRequest& request) {
  kernel(Op<opcode>{}, request);
};

// The kernel of an instruction whose operands have these types; nothing if its opcode has none or
// forbids the type.
std::optional<Kernel> find_kernel(const hlo::Instruction& instruction,
                                  std::span<const PrimitiveType> operand_types);

// Applies a kernel; operands that are scalars beside an array (select's pred, clamp's bounds) serve
// every lane.
Result<Literal> evaluate_kernel(const Kernel& kernel, const hlo::Instruction& instruction,
                                Operands operands);

template <Opcode opcode>
requires HasKernel<opcode> Result<Literal> evaluate(Op<opcode>, Context&,
                                                    const hlo::Instruction& instruction,
                                                    Operands operands) {
  const size_t typed = opcode == Opcode::kSelect ? 1 : 0;
  const KernelRequest request{instruction, operands[typed].type(), instruction.shape.element_type};
  return evaluate_kernel(kernel(Op<opcode>{}, request), instruction, operands);
}

}  // namespace hlocc::interpreter
