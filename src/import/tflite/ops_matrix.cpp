// FULLY_CONNECTED: rows of x times rows of the weights.
#include "import/tflite/accumulate.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {

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
  HLOCC_TRY_ASSIGN(const Accumulation sums, accumulation_of(op, 0));
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

}  // namespace hlocc::import::tflite::ops
