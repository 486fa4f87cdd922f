// SVDF: features of each input, remembered over time, weighed along it.
#include "import/tflite/accumulate.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

struct Svdf {
  int64_t batch, filters, units, rank, memory;
};

Result<Svdf> sizes_of(const Op& op) {
  HLOCC_TRY(op.require(3, 5));
  for (const int i : {0, 1, 2}) HLOCC_TRY(op.require_rank(i, 2));
  if (op.inputs() != 5 || !op.has(4)) return op.wrong("has no state");
  const Dimensions x = op.sizes(0), features = op.sizes(1), time = op.sizes(2);
  const int64_t rank = op.options.number<int32_t>(schema::SvdfOptions::rank);
  if (op.b.failure()) return *op.b.failure();
  if (rank < 1 || features[0] % rank != 0 || features[1] != x[1] || time[0] != features[0] ||
      time[1] < 1)
    return op.wrong("weights of sizes that do not fit");
  return Svdf{x[0], features[0], features[0] / rank, rank, time[1]};
}

// The state [batch, filters, memory], a step older, with the newest features at its end; kept.
Result<InstructionId> remembered(const Op& op, const Svdf& s, InstructionId newest) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const InstructionId flat, op.state(4));
  const Dimensions before = b.sizes(flat);
  if (b.shape(flat).element_count() != s.batch * s.filters * s.memory && !b.failure())
    return op.wrong("a state of another size");
  const InstructionId state = b.reshape(flat, {s.batch, s.filters, s.memory});
  const InstructionId last = b.reshape(newest, {s.batch, s.filters, 1});
  const InstructionId next =
      s.memory == 1 ? last : b.concatenate({b.slice(state, 2, 1, s.memory), last}, 2);
  op.set_state(4, b.reshape(next, before));
  return next;
}

// Weighed along time, summed over it and over the rank, plus the bias.
InstructionId summed(const Op& op, const Svdf& s, InstructionId state, InstructionId weights) {
  Builder& b = op.b;
  const InstructionId weighed =
      b.binary(Opcode::kMultiply, state, b.broadcast(weights, b.sizes(state), {1, 2}));
  const InstructionId by_filter = b.reduce(Opcode::kAdd, weighed, {2});
  InstructionId sum = b.reduce(Opcode::kAdd, b.reshape(by_filter, {s.batch, s.units, s.rank}), {2});
  if (op.has(3)) sum = b.binary(Opcode::kAdd, sum, b.broadcast(op.value(3), b.sizes(sum), {1}));
  return sum;
}

Status svdf_of_bytes(const Op& op, const Svdf& s) {
  Builder& b = op.b;
  const Tensor &x = op.in(0), &features = op.in(1), &time = op.in(2), &kept = op.in(4),
               &y = op.out();
  for (const Tensor* tensor : {&x, &features, &time, &kept, &y})
    HLOCC_TRY(op.require_quantized(*tensor));
  const PrimitiveType type = op.type(2);
  if (element_type(kept.type) != type || (op.has(3) && op.type(3) != kS32) ||
      element_type(y.type) != kS8)
    return op.unsupported_types();
  if (features.zero_point() != 0 || time.zero_point() != 0)
    return op.unsupported("weights with a zero point");
  const std::optional<Literal> weights = op.constant(1);
  if (!weights) return op.unsupported("weights that are computed when the model runs");
  const Multiplier to_state =
      quantize_multiplier(static_cast<double>(x.scale() * features.scale() / kept.scale()));
  const Multiplier to_out =
      quantize_multiplier(static_cast<double>(kept.scale() * time.scale() / y.scale()));
  InstructionId newest =
      b.dot(op.value(0), op.value(1), {.lhs_contracting = {1}, .rhs_contracting = {1}}, kS32);
  std::vector<int64_t> bias = sums_of(*weights, 0);
  for (int64_t& one : bias) one *= -x.zero_point();
  if (x.zero_point() != 0)
    newest = b.binary(Opcode::kAdd, newest, b.along(bias, kS32, b.sizes(newest), 1));
  // The kernel clamps first, and what the zero point then adds may wrap.
  newest = requantized(b, multiplied(b, newest, {to_state}), 0, limits_of(type), kS32);
  newest = b.convert(b.with(Opcode::kAdd, newest, kept.zero_point()), type);
  HLOCC_TRY_ASSIGN(const InstructionId state, remembered(op, s, newest));
  const InstructionId sum =
      summed(op, s, without_zero(b, state, kept.zero_point()), b.convert(op.value(2), kS32));
  return op.set(requantized(b, multiplied(b, sum, {to_out}), y.zero_point(), limits_of(kS8), kS8));
}

}  // namespace

Status svdf(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Svdf s, sizes_of(op));
  const int activation = op.options.number<int8_t>(schema::SvdfOptions::activation);
  if (op.type(0) == kS8 && op.type(1) == kS8 && is_quantized_type(op.type(2))) {
    if (activation != kRelu) return op.unsupported("an activation that is not relu");
    return svdf_of_bytes(op, s);
  }
  for (const int i : {0, 1, 2})
    if (op.type(i) != kF32) return op.unsupported_types();
  const InstructionId newest =
      b.dot(op.value(0), op.value(1), {.lhs_contracting = {1}, .rhs_contracting = {1}}, kF32);
  HLOCC_TRY_ASSIGN(const InstructionId state, remembered(op, s, newest));
  HLOCC_TRY_ASSIGN(const InstructionId y,
                   activated(op, summed(op, s, state, op.value(2)), activation));
  return op.set(y);
}

}  // namespace hlocc::import::tflite::ops
