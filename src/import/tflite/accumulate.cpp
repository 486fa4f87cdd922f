// See accumulate.h. The product of weights with the zero point of x is a constant of each output,
// and goes into the bias, so that bytes are multiplied by bytes.
#include "import/tflite/accumulate.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

using enum PrimitiveType;

bool has_zero_points(const Tensor& tensor) {
  const std::vector<int64_t>& zeros = tensor.quantization.zero_points;
  return std::any_of(zeros.begin(), zeros.end(), [](int64_t zero) { return zero != 0; });
}

}  // namespace

std::vector<int64_t> sums_of(const Literal& weights, int64_t channels) {
  const Dimensions& sizes = weights.shape().dimensions;
  const int64_t stride = hlo::row_major_strides(sizes)[channels], count = sizes[channels];
  std::vector<int64_t> sums(static_cast<size_t>(count), 0);
  for (int64_t i = 0; i < weights.element_count(); ++i)
    sums[static_cast<size_t>(i / stride % count)] += hlo::integer_at(weights, i);
  return sums;
}

Result<Accumulation> accumulation_of(const Op& op, int64_t channels, ProductOperands operands) {
  Accumulation out(op, operands);
  const PrimitiveType x = op.type(operands.x), w = op.type(operands.weights);
  const bool has_bias = op.has(operands.bias);
  const auto bias_type = [&] { return op.type(operands.bias); };
  if (op.b.failure()) return *op.b.failure();
  if (x == kF32 && op.out().type == 0) {
    out.is_hybrid_ = w == kS8;
    if ((w != kF32 && w != kS8) || (has_bias && bias_type() != kF32)) return op.unsupported_types();
    if (out.is_hybrid_) HLOCC_TRY(op.require_quantized(op.in(operands.weights)));
    if (out.is_hybrid_ && has_zero_points(op.in(operands.weights)))
      return op.unsupported("weights with a zero point on floats");
    return out;
  }
  const bool is_wide = x == kS16;
  if ((x != kS8 && !is_wide) || w != kS8 || element_type(op.out().type) != x)
    return op.unsupported_types();
  if (has_bias && bias_type() != kS32 && !(is_wide && bias_type() == kS64))
    return op.unsupported_types();
  HLOCC_TRY(out.set_quantized(channels));
  return out;
}

Status Accumulation::set_quantized(int64_t channels) {
  const Tensor &x = op_.in(operands_.x), &w = op_.in(operands_.weights), &y = op_.out();
  for (const Tensor* tensor : {&x, &w, &y}) HLOCC_TRY(op_.require_quantized(*tensor));
  const bool is_wide = op_.type(operands_.x) == kS16;
  if (has_zero_points(w) && !w.was_unsigned) return op_.unsupported("weights with a zero point");
  is_centred_ = !operands_.sums_all || has_zero_points(w);
  if (is_wide && (x.zero_point() != 0 || y.zero_point() != 0))
    return op_.wrong("16-bit activations have a zero point");
  if (w.quantization.is_per_channel() && w.quantization.dimension != channels)
    return op_.wrong("weights are quantised along another dimension than the outputs'");
  // Kernels sum 16-bit networks in 64 bits where the bias has as many.
  const bool has_words = op_.has(operands_.bias) && op_.type(operands_.bias) == kS32;
  type_ = is_wide && !has_words ? kS64 : kS32;
  operand_type_ = is_wide ? kS16 : kS8;
  pad_value_ = x.zero_point();
  multipliers_ = output_multipliers(x, w, y);
  for (const Multiplier& one : multipliers_)
    if (one.shift > (type_ == kS64 ? 14 : 31))
      return op_.unsupported("a result's scale so small that sums overflow");
  return set_bias(channels);
}

Status Accumulation::set_bias(int64_t channels) {
  const std::optional<Literal> weights = op_.constant(operands_.weights);
  if (!weights) return op_.unsupported("quantised weights that are computed when the model runs");
  const int64_t zero = op_.in(operands_.x).zero_point();
  bias_ = sums_of(*weights, channels);
  for (int64_t& sum : bias_) sum *= is_centred_ ? 0 : -zero;
  if (op_.has(operands_.bias)) {
    const std::optional<Literal> given = op_.constant(operands_.bias);
    if (!given) return op_.unsupported("a bias that is computed when the model runs");
    if (given->element_count() != static_cast<int64_t>(bias_.size()))
      return op_.wrong(
          cat("has ", given->element_count(), " biases for ", bias_.size(), " outputs"));
    const std::vector<int64_t> values = integers_of(*given);
    for (size_t i = 0; i < bias_.size(); ++i)
      bias_[i] = static_cast<int64_t>(static_cast<uint64_t>(bias_[i]) + values[i]);
  }
  return {};
}

InstructionId Accumulation::operand(InstructionId x) const {
  if (!is_centred_ || type_ == kF32 || !is_wide()) return x;
  return without_zero(op_.b, x, static_cast<int32_t>(pad_value_));
}

InstructionId Accumulation::weights(InstructionId kernel, int64_t channels) const {
  Builder& b = op_.b;
  if (type_ != kF32 && is_wide())
    return without_zero(b, kernel, op_.in(operands_.weights).zero_point());
  if (type_ != kF32) return b.convert(kernel, operand_type_);
  if (!is_hybrid_) return kernel;
  const std::vector<float>& scales = op_.in(operands_.weights).quantization.scales;
  const InstructionId reals = b.convert(kernel, kF32);
  const auto count = static_cast<int64_t>(scales.size());
  if (count == 1) return b.with(Opcode::kMultiply, reals, scales[0]);
  const InstructionId factors = b.constant(Literal::array<float>(kF32, {count}, scales));
  return b.binary(Opcode::kMultiply, reals, b.broadcast(factors, b.sizes(reals), {channels}));
}

bool Accumulation::is_wide() const {
  return is_centred_ && (pad_value_ != 0 || has_zero_points(op_.in(operands_.weights)));
}

InstructionId Accumulation::scaled(InstructionId sums, int64_t channels, Limits limits) const {
  Builder& b = op_.b;
  const int32_t zero = op_.out().zero_point();
  if (op_.rounding() == Rounding::kXnnpack && operand_type_ == kS8 && !op_.out().was_unsigned) {
    std::vector<float> scales;
    for (const float weight : op_.in(operands_.weights).quantization.scales)
      scales.push_back(op_.in(operands_.x).scale() * weight / op_.out().scale());
    return rescaled_even(b, sums, scales, channels, zero, limits);
  }
  // Of UINT8 there are LiteRT's kernels only.
  const bool once =
      operands_.is_dense && (op_.rounding() != Rounding::kTflm || op_.out().was_unsigned);
  if (once)
    sums = multiplied_once(b, sums, multipliers_, channels);
  else if (type_ == kS64)
    sums = multiplied_wide(b, sums, multipliers_, channels);
  else
    sums = multiplied(b, sums, multipliers_, channels);
  return requantized(b, sums, zero, limits, operand_type_);
}

Status Accumulation::finish(InstructionId y, int64_t channels, int activation,
                            const std::optional<Dimensions>& as) const {
  Builder& b = op_.b;
  if (type_ == kF32) {
    if (op_.has(operands_.bias)) {
      const InstructionId bias = op_.value(operands_.bias);
      if (b.rank(bias) != 1 && !b.failure()) return op_.wrong("the bias is no vector");
      y = b.binary(Opcode::kAdd, y, b.broadcast(bias, b.sizes(y), {channels}));
    }
    HLOCC_TRY_ASSIGN(const InstructionId out, activated(op_, y, activation));
    return op_.set(as ? b.reshape(out, *as) : out);
  }
  const bool any = std::any_of(bias_.begin(), bias_.end(), [](int64_t v) { return v != 0; });
  if (any) y = b.binary(Opcode::kAdd, y, b.along(bias_, type_, b.sizes(y), channels));
  HLOCC_TRY_ASSIGN(const Limits limits, activation_limits(op_, activation, op_.out()));
  y = scaled(y, channels, limits);
  return op_.set(as ? b.reshape(y, *as) : y);
}

}  // namespace hlocc::import::tflite
