// Softmax and its family, along one axis; before opset 13 along all dimensions from an axis on.
#include "import/build/numbers.h"
#include "import/onnx/ops.h"
#include "import/onnx/softmax.h"
#include "support/text.h"

namespace hlocc::import::onnx {

using enum PrimitiveType;

namespace {

// The operand with the dimension that is normalised, and the sizes of the result.
struct Rows {
  InstructionId x;
  int64_t axis;
  Dimensions sizes;
};

Result<Rows> rows_of(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  const bool is_old = op.opset() < 13;
  if (!hlo::is_float(b.type(x))) return op.unsupported_types();
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis", is_old ? 1 : -1), b.rank(x)));
  if (!is_old) return Rows{x, axis, sizes};
  Dimensions flat = {1, 1};
  for (int64_t d = 0; d < std::ssize(sizes); ++d) flat[d < axis ? 0 : 1] *= sizes[d];
  return Rows{b.reshape(x, flat), 1, sizes};
}

InstructionId spread_rows(Builder& b, InstructionId reduced, const Dimensions& sizes,
                          int64_t axis) {
  Dimensions others = counting(static_cast<int64_t>(sizes.size()));
  others.erase(others.begin() + axis);
  return b.broadcast(reduced, sizes, others);
}

}  // namespace

InstructionId softmax_along(Builder& b, InstructionId x, int64_t axis) {
  const Dimensions sizes = b.sizes(x);
  const InstructionId greatest = spread_rows(b, b.reduce(Opcode::kMaximum, x, {axis}), sizes, axis);
  const InstructionId y = b.math(Opcode::kExp, b.binary(Opcode::kSubtract, x, greatest));
  const InstructionId sum = spread_rows(b, b.reduce(Opcode::kAdd, y, {axis}), sizes, axis);
  return b.binary(Opcode::kDivide, y, sum);
}

InstructionId log_softmax_along(Builder& b, InstructionId x, int64_t axis) {
  const Dimensions sizes = b.sizes(x);
  const InstructionId greatest = spread_rows(b, b.reduce(Opcode::kMaximum, x, {axis}), sizes, axis);
  const InstructionId y = b.binary(Opcode::kSubtract, x, greatest);
  const InstructionId sum = b.reduce(Opcode::kAdd, b.math(Opcode::kExp, y), {axis});
  return b.binary(Opcode::kSubtract, y, spread_rows(b, b.math(Opcode::kLog, sum), sizes, axis));
}

namespace ops {

Status softmax(const Op& op) {
  HLOCC_TRY_ASSIGN(const Rows rows, rows_of(op));
  return op.set(op.b.reshape(softmax_along(op.b, rows.x, rows.axis), rows.sizes));
}

Status log_softmax(const Op& op) {
  HLOCC_TRY_ASSIGN(const Rows rows, rows_of(op));
  return op.set(op.b.reshape(log_softmax_along(op.b, rows.x, rows.axis), rows.sizes));
}

// One at the first place of the greatest, zeros elsewhere.
Status hardmax(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Rows rows, rows_of(op));
  const Dimensions sizes = b.sizes(rows.x);
  const InstructionId greatest =
      spread_rows(b, b.reduce(Opcode::kMaximum, rows.x, {rows.axis}), sizes, rows.axis);
  const InstructionId at = b.iota(kS32, sizes, rows.axis);
  const InstructionId found = b.select(b.compare(rows.x, greatest, hlo::Direction::kEq), at,
                                       b.like(at, static_cast<double>(sizes[rows.axis])));
  const InstructionId first =
      spread_rows(b, b.reduce(Opcode::kMinimum, found, {rows.axis}), sizes, rows.axis);
  const InstructionId y = b.convert(b.compare(at, first, hlo::Direction::kEq), b.type(rows.x));
  return op.set(b.reshape(y, rows.sizes));
}

}  // namespace ops
}  // namespace hlocc::import::onnx
