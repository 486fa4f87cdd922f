// Products of matrices.
#include "import/onnx/matrix.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx {

Result<InstructionId> matrix_product(const Op& op, InstructionId x, InstructionId y,
                                     PrimitiveType type) {
  Builder& b = op.b;
  Dimensions xs = b.sizes(x), ys = b.sizes(y);
  if (xs.empty() || ys.empty()) return op.wrong("an operand has no dimension");
  const bool is_row = xs.size() == 1, is_column = ys.size() == 1;
  if (is_row) xs.insert(xs.begin(), 1);
  if (is_column) ys.push_back(1);
  x = b.reshape(x, xs);
  y = b.reshape(y, ys);
  const auto n = static_cast<int64_t>(xs.size()), m = static_cast<int64_t>(ys.size());
  if (xs[n - 1] != ys[m - 2])
    return op.wrong(cat("operands ", b.shape(x), " and ", b.shape(y), " are no product"));
  hlo::DotAttributes how;
  InstructionId out;
  if (m == 2) {
    how.lhs_contracting = {n - 1};
    how.rhs_contracting = {0};
    out = b.dot(x, y, std::move(how), type);
  } else {
    const Dimensions xb(xs.begin(), xs.end() - 2), yb(ys.begin(), ys.end() - 2);
    const auto batch = broadcast_sizes(xb, yb);
    if (!batch)
      return op.wrong(cat("operands ", b.shape(x), " and ", b.shape(y), " do not broadcast"));
    const auto spread = [&](InstructionId id, const Dimensions& sizes) {
      Dimensions to = *batch;
      to.insert(to.end(), sizes.end() - 2, sizes.end());
      return b.broadcast_to(id, to);
    };
    const auto count = static_cast<int64_t>(batch->size());
    how.lhs_batch = how.rhs_batch = counting(count);
    how.lhs_contracting = {count + 1};
    how.rhs_contracting = {count};
    out = b.dot(spread(x, xs), spread(y, ys), std::move(how), type);
  }
  Dimensions sizes = b.sizes(out);
  if (is_column) sizes.pop_back();
  if (is_row) sizes.erase(sizes.end() - (is_column ? 1 : 2));
  return b.reshape(out, sizes);
}

namespace ops {

Status mat_mul(const Op& op) {
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  HLOCC_TRY_ASSIGN(const InstructionId y, matrix_product(op, op.value(0), op.value(1), op.type(0)));
  return op.set(y);
}

// alpha * A * B + beta * C
Status gemm(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require_rank(0, 2));
  HLOCC_TRY(op.require_rank(1, 2));
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  const int64_t left = op.flag("transA") ? 0 : 1, right = op.flag("transB") ? 1 : 0;
  const float alpha = op.real("alpha", 1), beta = op.real("beta", 1);
  hlo::DotAttributes how;
  how.lhs_contracting = {left};
  how.rhs_contracting = {right};
  InstructionId y = b.dot(op.value(0), op.value(1), std::move(how), op.type(0));
  if (alpha != 1) y = b.with(Opcode::kMultiply, y, alpha);
  if (!op.has(2)) return op.set(y);
  InstructionId c = op.value(2);
  const auto sizes = broadcast_sizes(b.sizes(y), b.sizes(c));
  if (sizes != b.sizes(y)) return op.wrong(cat("C is ", b.shape(c), " for ", b.shape(y)));
  if (beta != 1) c = b.with(Opcode::kMultiply, c, beta);
  return op.set(b.binary(Opcode::kAdd, y, b.broadcast_to(c, *sizes)));
}

}  // namespace ops
}  // namespace hlocc::import::onnx
