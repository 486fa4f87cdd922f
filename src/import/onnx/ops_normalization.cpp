// Normalisations: by batches' statistics, by an instance's, a layer's or a group's own.
#include <algorithm>

#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

// Something along one dimension of x.
InstructionId along(Builder& b, InstructionId parameter, InstructionId x, int64_t dimension) {
  return b.broadcast(parameter, b.sizes(x), {dimension});
}

InstructionId mean_over(Builder& b, InstructionId x, const Dimensions& axes) {
  double count = 1;
  for (const int64_t d : axes) count *= static_cast<double>(b.size(x, d));
  return b.with(Opcode::kDivide, b.reduce(Opcode::kAdd, x, axes), count);
}

Dimensions others_of(int64_t rank, const Dimensions& axes) {
  Dimensions out;
  for (int64_t d = 0; d < rank; ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) out.push_back(d);
  return out;
}

struct Centred {
  InstructionId x = 0, mean = 0, inverse = 0;  // normalised; the other two without the axes
};

// (x - mean) / sqrt(variance + epsilon) over axes; without a mean, x / its root of mean squares.
Centred centred(Builder& b, InstructionId x, const Dimensions& axes, float epsilon, bool has_mean) {
  const Dimensions sizes = b.sizes(x), others = others_of(b.rank(x), axes);
  Centred out;
  if (has_mean) {
    out.mean = mean_over(b, x, axes);
    x = b.binary(Opcode::kSubtract, x, b.broadcast(out.mean, sizes, others));
  }
  const InstructionId variance = mean_over(b, b.binary(Opcode::kMultiply, x, x), axes);
  out.inverse = b.math(Opcode::kRsqrt, b.with(Opcode::kAdd, variance, epsilon));
  out.x = b.binary(Opcode::kMultiply, x, b.broadcast(out.inverse, sizes, others));
  return out;
}

// y * scale + bias, of operands that broadcast to y from its last dimensions.
InstructionId scaled(const Op& op, InstructionId y, int scale, int bias) {
  Builder& b = op.b;
  if (op.has(scale))
    y = b.binary(Opcode::kMultiply, y, b.broadcast_to(op.value(scale), b.sizes(y)));
  if (op.has(bias)) y = b.binary(Opcode::kAdd, y, b.broadcast_to(op.value(bias), b.sizes(y)));
  return y;
}

Dimensions from(int64_t axis, int64_t rank) {
  Dimensions out;
  for (int64_t d = axis; d < rank; ++d) out.push_back(d);
  return out;
}

// Of layer and RMS normalisation, which compute in the type of stash_type.
Status row_normalization(const Op& op, bool has_mean) {
  Builder& b = op.b;
  const PrimitiveType type = op.type(0);
  const auto stash = element_type(op.integer("stash_type", 1));
  const float epsilon = op.real("epsilon", 1e-5f);
  const int64_t rank = op.rank(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis", -1), rank));
  if (!hlo::is_float(type) || !stash || !hlo::is_float(*stash)) return op.unsupported_types();
  for (const int i : {1, 2})
    if (op.has(i) && broadcast_sizes(op.sizes(0), op.sizes(i)) != op.sizes(0))
      return op.wrong(cat("operand ", i, " does not broadcast to the first"));
  const PrimitiveType inside = type == kF64 ? kF64 : *stash;
  const Centred y = centred(b, b.convert(op.value(0), inside), from(axis, rank), epsilon, has_mean);
  op.set(0, scaled(op, b.convert(y.x, type), 1, 2));
  Dimensions sizes = op.sizes(0);
  for (int64_t d = axis; d < rank; ++d) sizes[d] = 1;
  if (op.wants(1)) op.set(1, b.reshape(y.mean, sizes));
  if (op.wants(2)) op.set(2, b.reshape(y.inverse, sizes));
  return {};
}

// Of training: the batch's own mean and variance, and what the running ones become.
Status train_batch(const Op& op, float epsilon, float momentum) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const Dimensions axes = others_of(b.rank(x), {1});
  const InstructionId mean = mean_over(b, x, axes);
  const InstructionId off = b.binary(Opcode::kSubtract, x, along(b, mean, x, 1));
  const InstructionId variance = mean_over(b, b.binary(Opcode::kMultiply, off, off), axes);
  const InstructionId inverse = b.math(Opcode::kRsqrt, b.with(Opcode::kAdd, variance, epsilon));
  const InstructionId factor = b.binary(Opcode::kMultiply, inverse, op.value(1));
  op.set(0, b.binary(Opcode::kAdd, b.binary(Opcode::kMultiply, off, along(b, factor, x, 1)),
                     along(b, op.value(2), x, 1)));
  const auto running = [&](int operand, InstructionId now) {
    return b.binary(Opcode::kAdd, b.with(Opcode::kMultiply, op.value(operand), momentum),
                    b.with(Opcode::kMultiply, now, 1 - momentum));
  };
  op.set(1, running(3, mean));
  op.set(2, running(4, variance));
  return {};
}

}  // namespace

// One product and one sum a channel, both of which are constants where the parameters are.
Status batch_normalization(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const float epsilon = op.real("epsilon", 1e-5f), momentum = op.real("momentum", 0.9f);
  const bool trains = op.flag("training_mode");
  if (!op.flag("spatial", true)) return op.unsupported("statistics by element (spatial = 0)");
  if (b.rank(x) < 2) return op.wrong("the operand has no channels");
  for (const int i : {1, 2, 3, 4}) HLOCC_TRY(op.require_rank(i, 1));
  if (trains) return train_batch(op, epsilon, momentum);
  for (int i = 1; i < op.outputs(); ++i)
    if (op.wants(i)) return op.unsupported("results of training");
  const InstructionId factor =
      b.binary(Opcode::kDivide, b.convert(op.value(1), op.type(4)),
               b.math(Opcode::kSqrt, b.with(Opcode::kAdd, op.value(4), epsilon)));
  const InstructionId offset = b.binary(Opcode::kSubtract, b.convert(op.value(2), op.type(4)),
                                        b.binary(Opcode::kMultiply, op.value(3), factor));
  const auto own = [&](InstructionId p) { return along(b, b.convert(p, b.type(x)), x, 1); };
  return op.set(b.binary(Opcode::kAdd, b.binary(Opcode::kMultiply, x, own(factor)), own(offset)));
}

Status instance_normalization(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const float epsilon = op.real("epsilon", 1e-5f);
  if (b.rank(x) < 3) return op.wrong("the operand has no spatial dimension");
  for (const int i : {1, 2}) HLOCC_TRY(op.require_rank(i, 1));
  const Centred y = centred(b, x, from(2, b.rank(x)), epsilon, true);
  return op.set(b.binary(Opcode::kAdd,
                         b.binary(Opcode::kMultiply, y.x, along(b, op.value(1), x, 1)),
                         along(b, op.value(2), x, 1)));
}

// Scale and bias are a group's before opset 21, and a channel's from then on.
Status group_normalization(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  const int64_t groups = op.integer("num_groups");
  const float epsilon = op.real("epsilon", 1e-5f);
  const auto stash = element_type(op.integer("stash_type", 1));
  if (sizes.size() < 3 || groups < 1 || sizes[1] % groups != 0)
    return op.wrong(cat(groups, " groups of ", b.shape(x)));
  if (!stash || !hlo::is_float(*stash)) return op.unsupported_types();
  Dimensions grouped = sizes;
  grouped[1] /= groups;
  grouped.insert(grouped.begin() + 1, groups);
  const InstructionId in = b.convert(b.reshape(x, grouped), *stash);
  const Centred y = centred(b, in, from(2, static_cast<int64_t>(grouped.size())), epsilon, true);
  const InstructionId plain = b.convert(y.x, b.type(x));
  const bool by_group = op.opset() < 21;
  const InstructionId z = by_group ? plain : b.reshape(plain, sizes);
  const InstructionId done =
      b.binary(Opcode::kAdd, b.binary(Opcode::kMultiply, z, along(b, op.value(1), z, 1)),
               along(b, op.value(2), z, 1));
  return op.set(b.reshape(done, sizes));
}

Status layer_normalization(const Op& op) { return row_normalization(op, true); }
Status rms_normalization(const Op& op) { return row_normalization(op, false); }

Status lp_normalization(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const int64_t p = op.integer("p", 2);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis", -1), b.rank(x)));
  if (p != 1 && p != 2) return op.wrong(cat("p is ", p));
  InstructionId norm = b.reduce(
      Opcode::kAdd, p == 1 ? b.unary(Opcode::kAbs, x) : b.binary(Opcode::kMultiply, x, x), {axis});
  if (p == 2) norm = b.math(Opcode::kSqrt, norm);
  const InstructionId all = b.broadcast(norm, b.sizes(x), others_of(b.rank(x), {axis}));
  const InstructionId is_zero = b.compare(all, b.like(all, 0), hlo::Direction::kEq);
  return op.set(b.select(is_zero, b.like(x, 0), b.binary(Opcode::kDivide, x, all)));
}

// x / (bias + alpha / size * sum of squares over neighbouring channels)^beta
Status lrn(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const int64_t size = op.integer("size", 1);
  const double alpha = op.real("alpha", 1e-4f), beta = op.real("beta", 0.75f),
               bias = op.real("bias", 1);
  if (b.rank(x) < 2) return op.wrong("the operand has no channels");
  if (size < 1 || size > INT16_MAX) return op.wrong(cat("a size of ", size));
  hlo::Window window{std::vector<hlo::WindowDimension>(static_cast<size_t>(b.rank(x)))};
  window.dimensions[1].size = size;
  window.dimensions[1].padding_low = (size - 1) / 2;
  window.dimensions[1].padding_high = size - 1 - (size - 1) / 2;
  const InstructionId sum =
      b.reduce_window(Opcode::kAdd, b.binary(Opcode::kMultiply, x, x), std::move(window));
  const InstructionId base =
      b.with(Opcode::kAdd, b.with(Opcode::kMultiply, sum, alpha / static_cast<double>(size)), bias);
  return op.set(b.binary(Opcode::kDivide, x, b.with(Opcode::kPower, base, beta)));
}

Status mean_variance_normalization(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const Dimensions given = op.has_attribute("axes") ? op.integers("axes") : Dimensions{0, 2, 3};
  HLOCC_TRY_ASSIGN(const Dimensions axes, op.axes(given, b.rank(x)));
  const Dimensions sizes = b.sizes(x), others = others_of(b.rank(x), axes);
  const InstructionId off =
      b.binary(Opcode::kSubtract, x, b.broadcast(mean_over(b, x, axes), sizes, others));
  const InstructionId deviation =
      b.math(Opcode::kSqrt, mean_over(b, b.binary(Opcode::kMultiply, off, off), axes));
  return op.set(b.binary(Opcode::kDivide, off,
                         b.broadcast(b.with(Opcode::kAdd, deviation, 1e-9), sizes, others)));
}

}  // namespace hlocc::import::onnx::ops
