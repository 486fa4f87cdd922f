// Activation functions, and clips.
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

Status require_float(const Op& op) {
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  return {};
}

InstructionId above_zero(Builder& b, InstructionId x) {
  return b.compare(x, b.like(x, 0), Direction::kGt);
}

// scale * (e^(x / width) - 1)
InstructionId exponential(Builder& b, InstructionId x, double width, double scale) {
  const InstructionId in = width == 1 ? x : b.with(Opcode::kDivide, x, width);
  const InstructionId y = b.math(Opcode::kExpm1, in);
  return scale == 1 ? y : b.with(Opcode::kMultiply, y, scale);
}

// log(1 + e^x), which overflows nowhere.
InstructionId softplus_of(Builder& b, InstructionId x) {
  const InstructionId low = b.unary(Opcode::kNegate, b.unary(Opcode::kAbs, x));
  return b.binary(Opcode::kAdd, b.with(Opcode::kMaximum, x, 0),
                  b.math(Opcode::kLog1p, b.math(Opcode::kExp, low)));
}

// A scalar operand, in every place of x.
InstructionId bound(const Op& op, int i, InstructionId x) {
  return op.b.broadcast(op.b.reshape(op.value(i), {}), op.b.sizes(x), {});
}

}  // namespace

Status relu(const Op& op) { return op.set(op.b.with(Opcode::kMaximum, op.value(0), 0)); }

Status leaky_relu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  const float alpha = op.real("alpha", 0.01f);
  return op.set(b.select(above_zero(b, x), x, b.with(Opcode::kMultiply, x, alpha)));
}

Status elu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  return op.set(b.select(above_zero(b, x), x, exponential(b, x, 1, op.real("alpha", 1))));
}

Status celu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  const float alpha = op.real("alpha", 1);
  return op.set(b.select(above_zero(b, x), x, exponential(b, x, alpha, alpha)));
}

Status selu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  const double alpha = op.real("alpha", 1.67326319217681884765625f),
               gamma = op.real("gamma", 1.05070102214813232421875f);
  return op.set(b.select(above_zero(b, x), b.with(Opcode::kMultiply, x, gamma),
                         exponential(b, x, 1, alpha * gamma)));
}

Status thresholded_relu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  const InstructionId above = b.compare(x, b.like(x, op.real("alpha", 1)), Direction::kGt);
  return op.set(b.select(above, x, b.like(x, 0)));
}

Status sigmoid(const Op& op) {
  HLOCC_TRY(require_float(op));
  return op.set(op.b.math(Opcode::kLogistic, op.value(0)));
}

Status hard_sigmoid(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId y = b.with(Opcode::kMultiply, op.value(0), op.real("alpha", 0.2f));
  return op.set(b.clamp(b.with(Opcode::kAdd, y, op.real("beta", 0.5f)), 0, 1));
}

Status hard_swish(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  const InstructionId gate =
      b.clamp(b.with(Opcode::kAdd, b.with(Opcode::kMultiply, x, 1.0 / 6), 0.5), 0, 1);
  return op.set(b.binary(Opcode::kMultiply, x, gate));
}

Status softplus(const Op& op) {
  HLOCC_TRY(require_float(op));
  return op.set(softplus_of(op.b, op.value(0)));
}

Status softsign(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  return op.set(b.binary(Opcode::kDivide, x, b.with(Opcode::kAdd, b.unary(Opcode::kAbs, x), 1)));
}

Status mish(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_float(op));
  const InstructionId x = op.value(0);
  return op.set(b.binary(Opcode::kMultiply, x, b.math(Opcode::kTanh, softplus_of(b, x))));
}

Status gelu(const Op& op) {
  HLOCC_TRY(require_float(op));
  const std::string how = op.text("approximate", "none");
  if (how != "none" && how != "tanh") return op.wrong(cat("approximate is \"", how, "\""));
  return op.set(op.b.gelu(op.value(0), how == "tanh"));
}

Status shrink(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const float lambda = op.real("lambd", 0.5f), bias = op.real("bias", 0);
  const InstructionId zero = b.like(x, 0);
  const InstructionId above = b.compare(x, b.like(x, lambda), Direction::kGt);
  const InstructionId below = b.compare(x, b.like(x, -lambda), Direction::kLt);
  const InstructionId low = b.select(below, b.with(Opcode::kAdd, x, bias), zero);
  return op.set(b.select(above, b.with(Opcode::kSubtract, x, bias), low));
}

// Bounds are attributes before opset 11 and operands from then on.
Status clip(const Op& op) {
  Builder& b = op.b;
  InstructionId x = op.value(0);
  if (hlo::is_pred(b.type(x))) return op.unsupported_types();
  if (op.has(1))
    x = b.binary(Opcode::kMaximum, x, bound(op, 1, x));
  else if (op.has_attribute("min"))
    x = b.with(Opcode::kMaximum, x, op.real("min"));
  if (op.has(2))
    x = b.binary(Opcode::kMinimum, x, bound(op, 2, x));
  else if (op.has_attribute("max"))
    x = b.with(Opcode::kMinimum, x, op.real("max"));
  return op.set(x);
}

}  // namespace hlocc::import::onnx::ops
