// ADD and its kin: two arrays that NumPy's rule broadcasts.
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

struct Operands {
  InstructionId a, b;
  PrimitiveType type;
};

// Both of one type and of the result's sizes.
Result<Operands> operands_of(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  Builder& b = op.b;
  const auto sizes = broadcast_sizes(op.sizes(0), op.sizes(1));
  if (b.failure()) return *b.failure();
  if (!sizes)
    return op.wrong(
        cat("operands of shapes ", b.shape(op.value(0)), " and ", b.shape(op.value(1))));
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  return Operands{b.broadcast_to(op.value(0), *sizes), b.broadcast_to(op.value(1), *sizes),
                  op.type(0)};
}

int activation_of(const Op& op) {
  return op.options.number<int8_t>(schema::BinaryOptions::activation);
}

Status set_plain(const Op& op, Opcode opcode, const Operands& x) {
  Builder& b = op.b;
  const InstructionId y = b.binary(opcode, x.a, x.b);
  if (hlo::is_float(x.type)) {
    HLOCC_TRY_ASSIGN(const InstructionId out, activated(op, y, activation_of(op)));
    return op.set(out);
  }
  if (activation_of(op) != kNoActivation) return op.unsupported("an activation on plain integers");
  return op.set(y);
}

Status require_scales(const Op& op) {
  for (const Tensor* tensor : {&op.in(0), &op.in(1), &op.out()})
    HLOCC_TRY(op.require_quantized(*tensor));
  return {};
}

// Both sides with bits to spare, brought to twice the greater scale, then to the result's.
Status add_quantized(const Op& op, Opcode opcode, const Operands& x) {
  Builder& b = op.b;
  HLOCC_TRY(require_scales(op));
  const int left = x.type == kS16 ? 15 : 20;
  const double first = op.in(0).scale(), second = op.in(1).scale(), out = op.out().scale();
  const double twice = 2 * std::max(first, second), result = twice / ((1 << left) * out);
  if (result >= 1) return op.unsupported("a result's scale so small that the sum overflows");
  const auto scaled = [&](InstructionId side, const Tensor& tensor, double real) {
    const InstructionId shifted = b.with(
        Opcode::kShiftLeft, without_zero(b, b.convert(side, kS32), tensor.zero_point()), left);
    return multiplied(b, shifted, {quantize_multiplier(real)});
  };
  const InstructionId sum =
      b.binary(opcode, scaled(x.a, op.in(0), first / twice), scaled(x.b, op.in(1), second / twice));
  HLOCC_TRY_ASSIGN(const Limits limits, activation_limits(op, activation_of(op), op.out()));
  return op.set(requantized(b, multiplied(b, sum, {quantize_multiplier(result)}),
                            op.out().zero_point(), limits, x.type));
}

Status add_or_subtract(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  return is_quantized_type(x.type) ? add_quantized(op, opcode, x) : set_plain(op, opcode, x);
}

}  // namespace

Status add(const Op& op) { return add_or_subtract(op, Opcode::kAdd); }

}  // namespace hlocc::import::tflite::ops
