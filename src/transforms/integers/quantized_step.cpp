// See quantized_step.h.
#include "transforms/integers/quantized_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "transforms/integers/rounding_patterns.h"

namespace hlocc::transforms {
namespace {

enum class Constants : uint8_t { kNone, kRight, kEither, kClamp, kPad };

struct StepRow {
  Opcode opcode;
  StepKind kind;
  Constants constants;
};
// A new step is a row, and what readers make of it.
constexpr StepRow kStepRows[] = {
    {Opcode::kConvert, StepKind::kConvert, Constants::kNone},
    {Opcode::kAdd, StepKind::kAdd, Constants::kEither},
    {Opcode::kSubtract, StepKind::kSubtract, Constants::kEither},
    {Opcode::kMultiply, StepKind::kMultiply, Constants::kEither},
    {Opcode::kDivide, StepKind::kDivide, Constants::kEither},
    {Opcode::kMaximum, StepKind::kMaximum, Constants::kEither},
    {Opcode::kMinimum, StepKind::kMinimum, Constants::kEither},
    {Opcode::kClamp, StepKind::kClamp, Constants::kClamp},
    {Opcode::kRoundNearestEven, StepKind::kRoundEven, Constants::kNone},
    {Opcode::kRoundNearestAfz, StepKind::kRoundAway, Constants::kNone},
    {Opcode::kFloor, StepKind::kFloor, Constants::kNone},
    {Opcode::kCeil, StepKind::kCeil, Constants::kNone},
    {Opcode::kShiftRightArithmetic, StepKind::kShift, Constants::kRight},
    {Opcode::kBitcastConvert, StepKind::kBits, Constants::kNone},
    {Opcode::kReshape, StepKind::kView, Constants::kNone},
    {Opcode::kTranspose, StepKind::kView, Constants::kNone},
    {Opcode::kReverse, StepKind::kView, Constants::kNone},
    {Opcode::kSlice, StepKind::kView, Constants::kNone},
    {Opcode::kPad, StepKind::kView, Constants::kPad},
};

// The operand at `array` and the constant at `constant`; false if that is none.
bool take(const Rewriter& r, const Instruction& i, size_t array, size_t constant,
          QuantizedStep& step) {
  std::optional<ChannelConstant> by = channel_constant(r, i.operands[constant]);
  if (!by) return false;
  step.of = i.operands[array];
  step.by = std::move(*by);
  return true;
}

}  // namespace

double ChannelConstant::real(int64_t at) const {
  const auto place = static_cast<size_t>(is_one() ? 0 : at);
  return values.type() == PrimitiveType::kF32 ? static_cast<double>(values.data<float>()[place])
                                              : values.data<double>()[place];
}

bool ChannelConstant::is_finite() const {
  for (int64_t at = 0; at < count(); ++at)
    if (!std::isfinite(real(at))) return false;
  return true;
}

bool ChannelConstant::lies_along(const ChannelConstant& other) const {
  return is_one() || other.is_one() || mapping == other.mapping;
}

std::optional<ChannelConstant> channel_constant(const Computation& c, InstructionId id) {
  if (std::optional<Literal> one = splat_value(c, id)) return ChannelConstant{std::move(*one), {}};
  const bool is_spread = c[id].opcode == Opcode::kBroadcast;
  const Literal* const values = constant_value(c, is_spread ? c[id].operands[0] : id);
  if (values == nullptr) return std::nullopt;
  return ChannelConstant{*values, is_spread ? c[id].get<hlo::DimensionsAttributes>().dimensions
                                            : counting(values->shape().rank())};
}

std::optional<double> QuantizedStep::real_added() const {
  if ((kind != StepKind::kAdd && kind != StepKind::kSubtract) || !by.is_one() || !by.is_finite())
    return std::nullopt;
  return kind == StepKind::kAdd ? by.real() : -by.real();
}
std::optional<int64_t> QuantizedStep::whole_added() const {
  if ((kind != StepKind::kAdd && kind != StepKind::kSubtract) || !by.is_one() ||
      by.whole() == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  return kind == StepKind::kAdd ? by.whole() : -by.whole();
}
std::optional<double> QuantizedStep::scale() const {
  if ((kind != StepKind::kMultiply && kind != StepKind::kDivide) || !by.is_one())
    return std::nullopt;
  return kind == StepKind::kMultiply ? by.real() : 1 / by.real();
}

std::optional<QuantizedStep> quantized_step(const Rewriter& r, const Instruction& i) {
  if (std::optional<QuantizedStep> step = rounding_pattern(r, i)) return step;
  const StepRow* const row = std::ranges::find(kStepRows, i.opcode, &StepRow::opcode);
  if (row == std::ranges::end(kStepRows)) return std::nullopt;
  QuantizedStep step{row->kind, i.operands[0], {}, {}};
  switch (row->constants) {
    case Constants::kNone: return step;
    case Constants::kPad:
    case Constants::kRight:
      return take(r, i, 0, 1, step) ? std::optional(std::move(step)) : std::nullopt;
    case Constants::kEither:
      if (take(r, i, 0, 1, step)) return step;
      if (!take(r, i, 1, 0, step)) return std::nullopt;
      if (step.kind == StepKind::kSubtract) step.kind = StepKind::kTakenFrom;
      if (step.kind == StepKind::kDivide) step.kind = StepKind::kDividing;
      return step;
    case Constants::kClamp: {
      std::optional<ChannelConstant> to = channel_constant(r, i.operands[2]);
      if (!to || !take(r, i, 1, 0, step)) return std::nullopt;
      step.to = std::move(*to);
      return step;
    }
  }
  return std::nullopt;
}

}  // namespace hlocc::transforms
