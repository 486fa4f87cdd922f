// FULLY_CONNECTED: rows of x times rows of the weights.
#include "import/tflite/accumulate.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

// With its last two dimensions exchanged, and all of `batch` in front of them.
InstructionId matrices(Builder& b, InstructionId x, bool is_transposed, const Dimensions& batch) {
  Dimensions permutation = counting(b.rank(x)), sizes = batch;
  if (is_transposed) std::swap(permutation.end()[-1], permutation.end()[-2]);
  x = b.transpose(x, permutation);
  const Dimensions own = b.sizes(x);
  sizes.insert(sizes.end(), own.end() - 2, own.end());
  return b.broadcast_to(x, sizes);
}

}  // namespace

Status fully_connected(const Op& op) {
  using Fields = schema::FullyConnectedOptions;
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 3));
  HLOCC_TRY(op.require_rank(1, 2));
  if (op.options.number<int8_t>(Fields::weights_format) != 0)
    return op.unsupported("shuffled weights");
  const Dimensions x = op.sizes(0), w = op.sizes(1);
  const int64_t count = b.shape(op.value(0)).element_count();
  if (b.failure()) return {};
  if (w[1] < 1 || count % w[1] != 0)
    return op.wrong(cat("weights of shape [", join(w, ","), "] on [", join(x, ","), "]"));
  HLOCC_TRY_ASSIGN(const Accumulation sums, accumulation_of(op, 0, {.is_dense = true}));
  const InstructionId rows = b.reshape(sums.operand(op.value(0)), {count / w[1], w[1]});
  const InstructionId y = b.dot(rows, sums.weights(op.value(1), 0),
                                {.lhs_contracting = {1}, .rhs_contracting = {1}}, sums.type());
  std::optional<Dimensions> as;
  if (op.options.flag(Fields::keep_num_dims)) {
    if (x.empty() || x.back() != w[1]) return op.wrong("keeps dimensions that do not fit");
    as = x;
    as->back() = w[0];
  }
  return sums.finish(y, 1, op.options.number<int8_t>(Fields::activation), as);
}

Status batch_matmul(const Op& op) {
  using Fields = schema::BatchMatMulOptions;
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  const Dimensions first = op.sizes(0), second = op.sizes(1);
  if (b.failure()) return {};
  if (first.size() < 2 || second.size() < 2) return op.wrong("operands that are no matrices");
  const auto batch =
      broadcast_sizes({first.begin(), first.end() - 2}, {second.begin(), second.end() - 2});
  if (!batch) return op.wrong("operands that do not broadcast");
  InstructionId x = matrices(b, op.value(0), op.options.flag(Fields::adj_x), *batch);
  InstructionId y = matrices(b, op.value(1), op.options.flag(Fields::adj_y), *batch);
  const auto depth = static_cast<int64_t>(batch->size());
  const hlo::DotAttributes how{.lhs_contracting = {depth + 1},
                               .rhs_contracting = {depth},
                               .lhs_batch = counting(depth),
                               .rhs_batch = counting(depth)};
  const PrimitiveType type = op.type(0);
  if (op.type(1) != type || element_type(op.out().type) != type) return op.unsupported_types();
  if (type == kF32) return op.set(b.dot(x, y, how, kF32));
  if (type != kS8) return op.unsupported_types();
  for (const Tensor* tensor : {&op.in(0), &op.in(1), &op.out()})
    HLOCC_TRY(op.require_quantized(*tensor));
  if (op.in(1).quantization.is_per_channel()) return op.unsupported("scales by channel");
  const InstructionId sums = b.dot(without_zero(b, x, op.in(0).zero_point()),
                                   without_zero(b, y, op.in(1).zero_point()), how, kS32);
  const auto by = output_multipliers(op.in(0), op.in(1), op.out());
  return op.set(
      requantized(b, multiplied(b, sums, by), op.out().zero_point(), limits_of(kS8), kS8));
}

}  // namespace hlocc::import::tflite::ops
