// What one instruction does to one array and constants: scales it, adds to it, rounds it, clamps
// it, moves its elements. All that reads how a network is quantised reads it by these steps.
#pragma once
#include "transforms/build.h"

namespace hlocc::transforms {

// A constant that is one number everywhere, or one for each place along the dimensions of
// `mapping`.
struct ChannelConstant {
  Literal values;
  Dimensions mapping;

  bool is_one() const { return values.shape().rank() == 0; }
  int64_t count() const { return values.element_count(); }
  bool is_real() const { return !is_integer(values.type()); }
  double real(int64_t at = 0) const;  // of f32 and f64; of a place, as the next
  int64_t whole(int64_t at = 0) const { return integer_at(values, is_one() ? 0 : at); }
  bool is_finite() const;
  // The numbers of both differ along the same dimensions, if both do; of arrays of one shape.
  bool lies_along(const ChannelConstant& other) const;
};
std::optional<ChannelConstant> channel_constant(const Computation& c, InstructionId id);

enum class StepKind : uint8_t {
  kConvert,
  kAdd,
  kSubtract,
  kTakenFrom,  // `by` less the array
  kMultiply,
  kDivide,
  kDividing,  // `by` divided by the array
  kMaximum,
  kMinimum,
  kClamp,  // from `by` to `to`
  kRoundEven,
  kRoundAway,
  kFloor,
  kCeil,
  kShift,          // to the right, of numbers with sign
  kBits,           // of a float, as an integer
  kView,           // moves elements, or adds `by`: a pad
  kRoundingShift,  // halves away from zero
  kNudge           // adds `by`, and `to`, which is no greater, to what is negative
};

struct QuantizedStep {
  StepKind kind;
  InstructionId of = kNone;  // the array
  ChannelConstant by, to;

  // What is added to the array, or taken off it, everywhere: of floats, of integers.
  std::optional<double> real_added() const;
  std::optional<int64_t> whole_added() const;
  // What it is multiplied by everywhere, in floats.
  std::optional<double> scale() const;
  // What it keeps the array from falling below, and from exceeding; null: nothing.
  const ChannelConstant* floor() const {
    return kind == StepKind::kClamp || kind == StepKind::kMaximum ? &by : nullptr;
  }
  const ChannelConstant* ceiling() const {
    return kind == StepKind::kClamp ? &to : kind == StepKind::kMinimum ? &by : nullptr;
  }
};

// None if there is no array or more than one, or if the instruction is no such step. Sums may be of
// the two last kinds, which are several instructions (rounding_patterns.h).
std::optional<QuantizedStep> quantized_step(const Rewriter& r, const Instruction& i);

}  // namespace hlocc::transforms
