// Losses of classes: of log-probabilities, and of scores.
#include "import/onnx/ops.h"
#include "import/onnx/softmax.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

// -weight * log_probability of each element's class, which is dimension 1 of the probabilities.
// Classes of `ignore_index` count nothing.
Status loss_of(const Op& op, InstructionId log_probabilities) {
  Builder& b = op.b;
  const std::string how = op.text("reduction", "mean");
  const bool ignores = op.has_attribute("ignore_index");
  const int64_t ignored = op.integer("ignore_index");
  const Dimensions sizes = b.sizes(log_probabilities);
  if (sizes.size() < 2) return op.wrong("scores have no classes");
  if (how != "mean" && how != "sum" && how != "none")
    return op.wrong(cat("reduction is \"", how, "\""));
  const PrimitiveType type = b.type(log_probabilities);
  const InstructionId labels = b.convert(op.value(1), kS32);
  Dimensions others = counting(static_cast<int64_t>(sizes.size()));
  others.erase(others.begin() + 1);
  const InstructionId is_class =
      b.compare(b.broadcast(labels, sizes, others), b.iota(kS32, sizes, 1), Direction::kEq);
  InstructionId losses = b.unary(Opcode::kNegate, log_probabilities);
  InstructionId weights = b.number(type, 1, sizes);
  if (op.has(2)) {
    HLOCC_TRY(op.require_rank(2, 1));
    weights = b.broadcast(op.value(2), sizes, {1});
    losses = b.binary(Opcode::kMultiply, losses, weights);
  }
  const InstructionId none = b.number(type, 0, sizes);
  const auto of_class = [&](InstructionId x) {
    InstructionId y = b.reduce(Opcode::kAdd, b.select(is_class, x, none), {1});
    if (!ignores) return y;
    const InstructionId counts =
        b.compare(labels, b.like(labels, static_cast<double>(ignored)), Direction::kNe);
    return b.select(counts, y, b.like(y, 0));
  };
  InstructionId loss = of_class(losses);
  if (how == "none") return op.set(loss);
  const Dimensions all = counting(b.rank(loss));
  const InstructionId total = b.reduce(Opcode::kAdd, loss, all);
  if (how == "sum") return op.set(total);
  return op.set(b.binary(Opcode::kDivide, total, b.reduce(Opcode::kAdd, of_class(weights), all)));
}

}  // namespace

Status negative_log_likelihood_loss(const Op& op) { return loss_of(op, op.value(0)); }

Status softmax_cross_entropy_loss(const Op& op) {
  if (op.rank(0) < 2) return op.wrong("scores have no classes");
  const InstructionId log_probabilities = log_softmax_along(op.b, op.value(0), 1);
  op.set(1, log_probabilities);
  return loss_of(op, log_probabilities);
}

}  // namespace hlocc::import::onnx::ops
