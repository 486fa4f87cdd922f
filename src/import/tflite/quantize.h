// Quantised arithmetic in HLO, spelled as gemmlowp does: what the compiler's passes recognise as
// one requantisation.
#pragma once
#include "import/tflite/fixed_point.h"
#include "import/tflite/op.h"

namespace hlocc::import::tflite {

// ActivationFunctionType's numbers.
enum Activation { kNoActivation, kRelu, kReluN1To1, kRelu6, kTanhActivation, kSignBit };

// Of INT8 or INT16, which stand for reals.
inline bool is_quantized_type(PrimitiveType type) {
  return type == PrimitiveType::kS8 || type == PrimitiveType::kS16;
}

struct Limits {
  int32_t low = 0, high = 0;
};
// Of an integer type of at most 32 bits.
Limits limits_of(PrimitiveType type);
// What a fused activation leaves of the range of an integer tensor; none for functions that no
// integer kernel fuses.
Result<Limits> activation_limits(const Op& op, int activation, const Tensor& out);
// Integers that move keep one scale: refuses those that differ.
Status require_same_scale(const Op& op, const Tensor& a, const Tensor& b);
// A float with a fused activation.
Result<InstructionId> activated(const Op& op, InstructionId x, int activation);

// s32 times one multiplier, or one for each place along `dimension`.
InstructionId multiplied(Builder& b, InstructionId x, const std::vector<Multiplier>& by,
                         int64_t dimension = 0);
// The same of s64 sums of 16-bit networks, whose kernels multiply by the upper 16 bits of the
// factor and round once.
InstructionId multiplied_wide(Builder& b, InstructionId x, const std::vector<Multiplier>& by,
                              int64_t dimension = 0);
// s32, or s64 of as many bits, times multipliers, rounded once, halves up; s32.
InstructionId multiplied_once(Builder& b, InstructionId x, const std::vector<Multiplier>& by,
                              int64_t dimension = 0);
// s32 times scales in floats, to the nearest integer, halves to even, as XNNPACK does it; plus the
// zero point, clamped, s8.
InstructionId rescaled_even(Builder& b, InstructionId x, const std::vector<float>& scales,
                            int64_t dimension, int32_t zero_point, Limits limits);
// s32 plus the zero point, clamped, of the element type.
InstructionId requantized(Builder& b, InstructionId x, int32_t zero_point, Limits limits,
                          PrimitiveType type);
// An integer tensor as s32 less its zero point.
InstructionId without_zero(Builder& b, InstructionId x, int32_t zero_point);

// Products of fixed-point numbers, SaturatingRoundingDoublingHighMul of s32 that are not both the
// least number; and x << by, saturated.
InstructionId fixed_product(Builder& b, InstructionId x, InstructionId y);
InstructionId saturating_left(Builder& b, InstructionId x, int by);

// Multipliers of in * weights / out, one a channel or one for all.
std::vector<Multiplier> output_multipliers(const Tensor& in, const Tensor& weights,
                                           const Tensor& out);

}  // namespace hlocc::import::tflite
