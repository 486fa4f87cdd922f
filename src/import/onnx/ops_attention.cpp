// Attention and rotary embeddings, of opset 23.
#include <cmath>

#include "import/build/numbers.h"
#include "import/onnx/matrix.h"
#include "import/onnx/ops.h"
#include "import/onnx/softmax.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

// Whether this reader knows what the operands mean: versions of ONNX disagree about operands of
// three dimensions and about heads that share keys, and so do those who run it.
Status require_plain_heads(const Op& op) {
  for (const int i : {0, 1, 2})
    if (op.rank(i) != 4)
      return op.unsupported("operands of three dimensions")
          .note("versions of ONNX disagree about their heads: four dimensions say which they are");
  const Dimensions q = op.sizes(0), k = op.sizes(1), v = op.sizes(2);
  if (q[1] != k[1] || q[1] != v[1])
    return op.unsupported("queries of more heads than keys")
        .note("versions of ONNX disagree about which share: keys and values repeated before help");
  if (op.integer("q_num_heads", q[1]) != q[1] || op.integer("kv_num_heads", k[1]) != k[1])
    return op.wrong("another number of heads than its operands have");
  return {};
}

// What is added to scores: the mask, and -inf where a query does not see a key.
Result<InstructionId> masked(const Op& op, InstructionId scores) {
  Builder& b = op.b;
  const Dimensions sizes = b.sizes(scores);
  const InstructionId none = b.like(scores, -INFINITY);
  if (op.has(3)) {
    if (broadcast_sizes(op.sizes(3), sizes) != sizes)
      return op.wrong(cat("a mask of ", b.shape(op.value(3)), " for ", b.shape(scores)));
    const InstructionId mask = b.broadcast_to(op.value(3), sizes);
    scores = hlo::is_pred(b.type(mask))
                 ? b.select(mask, scores, none)
                 : b.binary(Opcode::kAdd, scores, b.convert(mask, b.type(scores)));
  }
  if (!op.flag("is_causal")) return scores;
  const InstructionId sees =
      b.compare(b.iota(kS32, sizes, 2), b.iota(kS32, sizes, 3), Direction::kGe);
  return b.select(sees, scores, none);
}

}  // namespace

Status attention(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_plain_heads(op));
  const PrimitiveType type = op.type(0);
  const int64_t mode = op.integer("qk_matmul_output_mode");
  const float cap = op.real("softcap");
  const auto inside = element_type(op.integer("softmax_precision", tensor_type_of(type)));
  if (!hlo::is_float(type) || op.type(1) != type || !inside || !hlo::is_float(*inside))
    return op.unsupported_types();
  if (op.wants(3) && mode != 0 && mode != 3)
    return op.unsupported(cat("qk_matmul_output_mode ", mode));
  if (cap > 0 && (op.has(3) || op.flag("is_causal")))
    return op.unsupported("softcap with a mask")
        .note("ONNX and ONNX Runtime disagree about which comes first");
  InstructionId keys = op.value(1), values = op.value(2);
  if (op.has(4)) keys = b.concatenate({op.value(4), keys}, 2);
  if (op.has(5)) values = b.concatenate({op.value(5), values}, 2);
  const double scale = op.real("scale", 1 / std::sqrt(static_cast<float>(op.sizes(0)[3])));
  const InstructionId q = b.with(Opcode::kMultiply, op.value(0), std::sqrt(scale));
  const InstructionId k = b.with(Opcode::kMultiply, keys, std::sqrt(scale));
  HLOCC_TRY_ASSIGN(const InstructionId product,
                   matrix_product(op, q, b.transpose(k, {0, 1, 3, 2}), type));
  HLOCC_TRY_ASSIGN(InstructionId scores, masked(op, product));
  if (cap > 0) {
    const InstructionId curve = b.math(Opcode::kTanh, b.with(Opcode::kDivide, scores, cap));
    scores = b.with(Opcode::kMultiply, curve, cap);
  }
  const InstructionId shares = softmax_along(b, b.convert(scores, *inside), 3);
  HLOCC_TRY_ASSIGN(const InstructionId y,
                   matrix_product(op, shares, b.convert(values, *inside), *inside));
  op.set(0, b.convert(y, type));
  op.set(1, keys);
  op.set(2, values);
  op.set(3, mode == 0 ? product : b.convert(shares, type));
  return {};
}

// Pairs of elements of each head, turned by the angles of their position.
Status rotary_embedding(const Op& op) {
  Builder& b = op.b;
  InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  const int64_t heads = op.integer("num_heads"), given = op.integer("rotary_embedding_dim");
  const bool is_interleaved = op.flag("interleaved");
  const bool has_heads = sizes.size() == 4;
  if (!has_heads && (sizes.size() != 3 || heads < 1 || sizes[2] % heads != 0))
    return op.wrong(cat(heads, " heads of ", b.shape(x)));
  // Batch, positions, heads, elements.
  x = has_heads ? b.transpose(x, {0, 2, 1, 3})
                : b.reshape(x, {sizes[0], sizes[1], heads, sizes[2] / heads});
  const Dimensions s = b.sizes(x);
  const int64_t turned = given == 0 ? s[3] : given, half = turned / 2;
  if (turned < 2 || turned % 2 != 0 || turned > s[3]) return op.wrong(cat("turns ", turned));
  const bool has_positions = op.has(3);
  if (op.rank(1) != (has_positions ? 2 : 3) || op.rank(2) != op.rank(1) ||
      (has_positions && op.rank(3) != 2))
    return op.wrong("tables of another number of dimensions");
  const auto angles = [&](int operand) {
    InstructionId table = op.value(operand);
    if (has_positions) table = b.take(table, b.convert(op.value(3), kS32), 0);
    table = b.slice(table, 2, 0, std::min(half, b.size(table, 2)));
    return b.broadcast(table, {s[0], s[1], s[2], half}, {0, 1, 3});
  };
  const InstructionId cosine = angles(1), sine = angles(2);
  const InstructionId rest = b.slice(x, 3, turned, s[3]);
  const InstructionId own = b.slice(x, 3, 0, turned);
  const Dimensions paired = {s[0], s[1], s[2], half, 2}, flat = {s[0], s[1], s[2], half};
  const InstructionId pairs = is_interleaved ? b.reshape(own, paired) : own;
  const auto part = [&](int64_t i) {
    return is_interleaved ? b.reshape(b.slice(pairs, 4, i, i + 1), flat)
                          : b.slice(pairs, 3, i * half, (i + 1) * half);
  };
  const InstructionId first = part(0), second = part(1);
  const auto product = [&](InstructionId a, InstructionId c) {
    return b.binary(Opcode::kMultiply, a, c);
  };
  InstructionId real = b.binary(Opcode::kSubtract, product(cosine, first), product(sine, second));
  InstructionId imaginary = b.binary(Opcode::kAdd, product(sine, first), product(cosine, second));
  InstructionId done;
  if (is_interleaved) {
    const Dimensions one = {s[0], s[1], s[2], half, 1};
    done = b.reshape(b.concatenate({b.reshape(real, one), b.reshape(imaginary, one)}, 4),
                     {s[0], s[1], s[2], turned});
  } else {
    done = b.concatenate({real, imaginary}, 3);
  }
  if (turned < s[3]) done = b.concatenate({done, rest}, 3);
  return op.set(has_heads ? b.transpose(done, {0, 2, 1, 3}) : b.reshape(done, sizes));
}

}  // namespace hlocc::import::onnx::ops
