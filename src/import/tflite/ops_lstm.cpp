// UNIDIRECTIONAL_SEQUENCE_LSTM: what the inputs give to the gates is one product over all steps; a
// loop goes on from there. Hidden and cell state are kept between runs.
#include <cmath>

#include "import/build/numbers.h"
#include "import/tflite/accumulate.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "import/tflite/tables.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using LstmFields = schema::SequenceLstmOptions;

// Operands: of the four gates (input, forget, cell, output) one after the other.
constexpr int kInputWeights = 1, kRecurrentWeights = 5, kBiases = 12, kHidden = 18, kCell = 19;
constexpr int kGates = 4;

struct Lstm {
  int64_t steps, batch, inputs, units;
  bool time_major;
  PrimitiveType type;  // of input, weights and hidden state
  float clip;          // of the cell state; 0: none
};

Status check_weights(const Op& op, const Lstm& l) {
  for (int g = 0; g < kGates; ++g) {
    const int in = kInputWeights + g, recurrent = kRecurrentWeights + g, bias = kBiases + g;
    for (const int i : {in, recurrent, bias})
      if (!op.has(i)) return op.unsupported("gates that lack weights or biases");
    if (op.sizes(in) != Dimensions{l.units, l.inputs} ||
        op.sizes(recurrent) != Dimensions{l.units, l.units} ||
        op.sizes(bias) != Dimensions{l.units})
      return op.wrong("weights of sizes that do not fit");
    if (op.type(in) != l.type || op.type(recurrent) != l.type ||
        op.type(bias) != (l.type == kF32 ? kF32 : kS32))
      return op.unsupported_types();
    for (const int i : {in, recurrent, bias})
      if (!op.constant(i)) return op.unsupported("weights that are computed when the model runs");
  }
  return {};
}

Result<Lstm> lstm_of(const Op& op) {
  HLOCC_TRY(op.require(1, 24));
  if (!op.has(kRecurrentWeights) || !op.has(kHidden) || !op.has(kCell))
    return op.wrong("lacks weights or a state");
  HLOCC_TRY(op.require_rank(0, 3));
  for (const int i : {9, 10, 11})
    if (op.has(i)) return op.unsupported("peepholes");
  for (const int i : {16, 17})
    if (op.has(i)) return op.unsupported("a projection");
  for (const int i : {20, 21, 22, 23})
    if (op.has(i)) return op.unsupported("layer normalisation");
  if (op.options.flag(LstmFields::diagonal)) return op.unsupported("diagonal recurrent weights");
  if (op.options.number<int8_t>(LstmFields::activation) != kTanhActivation)
    return op.unsupported("an activation that is not tanh");
  const Dimensions x = op.sizes(0);
  if (op.b.failure()) return *op.b.failure();
  const bool time_major = op.options.flag(LstmFields::time_major);
  Lstm out{x[time_major ? 0 : 1],
           x[time_major ? 1 : 0],
           x[2],
           op.in(kRecurrentWeights).shape.empty() ? 0 : op.in(kRecurrentWeights).shape[0],
           time_major,
           op.type(0),
           op.options.number<float>(LstmFields::cell_clip)};
  if (out.steps < 1 || (out.type != kF32 && out.type != kS8)) return op.unsupported_types();
  HLOCC_TRY(check_weights(op, out));
  return out;
}

// The constants of four operands, one below the other. Anew in each computation.
InstructionId stacked(const Op& op, int first) {
  std::vector<InstructionId> parts;
  for (int g = 0; g < kGates; ++g) parts.push_back(op.b.constant(*op.constant(first + g)));
  return op.b.concatenate(std::move(parts), 0);
}

// x times the stacked weights: the last dimension has the gates' units.
InstructionId product(const Op& op, InstructionId x, InstructionId weights, PrimitiveType type) {
  return op.b.dot(x, weights, {.lhs_contracting = {op.b.rank(x) - 1}, .rhs_contracting = {1}},
                  type);
}

InstructionId gate(Builder& b, InstructionId all, int which, int64_t units) {
  return b.slice(all, b.rank(all) - 1, which * units, (which + 1) * units);
}

// One side of the gates in integers: bytes times bytes, 16 bits with 12 behind the point.
InstructionId quantized_side(const Op& op, InstructionId x, const Tensor& of, int weights,
                             int bias) {
  Builder& b = op.b;
  std::vector<Multiplier> by;
  std::vector<int64_t> offsets;
  for (int g = 0; g < kGates; ++g) {
    const double real = static_cast<double>(of.scale()) *
                        static_cast<double>(op.in(weights + g).scale()) / std::ldexp(1.0, -12);
    std::vector<int64_t> sums = sums_of(*op.constant(weights + g), 0);
    const std::vector<int64_t> own =
        bias > 0 ? integers_of(*op.constant(bias + g)) : std::vector<int64_t>(sums.size(), 0);
    for (size_t i = 0; i < sums.size(); ++i) {
      by.push_back(quantize_multiplier(real));
      offsets.push_back(own[i] - sums[i] * of.zero_point());
    }
  }
  InstructionId y = product(op, x, stacked(op, weights), kS32);
  const int64_t last = b.rank(y) - 1;
  y = b.binary(Opcode::kAdd, y, b.along(offsets, kS32, b.sizes(y), last));
  return requantized(b, multiplied(b, y, by, last), 0, limits_of(kS16), kS16);
}

InstructionId saturated_sum(Builder& b, InstructionId x, InstructionId y) {
  const InstructionId sum = b.binary(Opcode::kAdd, b.convert(x, kS32), b.convert(y, kS32));
  return b.convert(b.clamp(sum, INT16_MIN, INT16_MAX), kS16);
}

InstructionId scaled_product(Builder& b, InstructionId x, InstructionId y, double scale,
                             int32_t zero, PrimitiveType type) {
  const InstructionId full = b.binary(Opcode::kMultiply, b.convert(x, kS32), b.convert(y, kS32));
  return requantized(b, multiplied(b, full, {quantize_multiplier(scale)}), zero, limits_of(type),
                     type);
}

// Hidden and cell state of a step.
struct Step {
  InstructionId hidden, cell;
};

Step float_step(const Op& op, const Lstm& l, InstructionId from_input, Step now) {
  Builder& b = op.b;
  const InstructionId all = b.binary(Opcode::kAdd, from_input,
                                     product(op, now.hidden, stacked(op, kRecurrentWeights), kF32));
  const auto part = [&](int which) { return gate(b, all, which, l.units); };
  const auto open = [&](int which) { return b.math(Opcode::kLogistic, part(which)); };
  InstructionId cell =
      b.binary(Opcode::kAdd, b.binary(Opcode::kMultiply, open(1), now.cell),
               b.binary(Opcode::kMultiply, open(0), b.math(Opcode::kTanh, part(2))));
  if (l.clip > 0) cell = b.clamp(cell, -l.clip, l.clip);
  return {b.binary(Opcode::kMultiply, open(3), b.math(Opcode::kTanh, cell)), cell};
}

// The power of two that the cell state's scale is.
int cell_power(const Op& op) {
  return static_cast<int>(std::lround(std::log2(op.in(kCell).scale())));
}

Step integer_step(const Op& op, const Lstm& l, InstructionId from_input, Step now) {
  Builder& b = op.b;
  const Tensor& hidden = op.in(kHidden);
  const InstructionId all =
      saturated_sum(b, from_input, quantized_side(op, now.hidden, hidden, kRecurrentWeights, 0));
  const auto open = [&](int which) {
    return curve_of_words(b, gate(b, all, which, l.units), {}, false);
  };
  const InstructionId news = curve_of_words(b, gate(b, all, 2, l.units), {}, true);
  const double cell_scale = op.in(kCell).scale(), one = std::ldexp(1.0, -15);
  InstructionId cell =
      saturated_sum(b, scaled_product(b, open(1), now.cell, one * cell_scale / cell_scale, 0, kS16),
                    scaled_product(b, open(0), news, one * one / cell_scale, 0, kS16));
  if (l.clip > 0) {
    const double clip = std::min(std::trunc(static_cast<double>(l.clip) / cell_scale), 32767.0);
    cell = b.clamp(cell, -clip, clip);
  }
  const int left = 12 + cell_power(op);
  const WordScale by = left < 0 ? WordScale{3, -left} : WordScale{3 << left, 0};
  const InstructionId curve = curve_of_words(b, cell, by, true);
  return {scaled_product(b, open(3), curve, one * one / hidden.scale(), hidden.zero_point(), kS8),
          cell};
}

Status check_scales_of_states(const Op& op) {
  for (const int i : {0, kHidden, kCell}) HLOCC_TRY(op.require_quantized(op.in(i)));
  for (int g = 0; g < kGates; ++g)
    for (const int i : {kInputWeights + g, kRecurrentWeights + g}) {
      HLOCC_TRY(op.require_quantized(op.in(i)));
      if (op.in(i).quantization.is_per_channel() || op.in(i).zero_point() != 0)
        return op.unsupported("weights with a zero point, or with scales by channel");
    }
  const float scale = op.in(kCell).scale();
  const int power = cell_power(op);
  if (scale != std::ldexp(1.0f, power) || power < -26 || power > 3 ||
      op.in(kCell).zero_point() != 0 || op.in(kCell).type != 7)
    return op.unsupported("a cell state whose scale is no power of two");
  if (op.in(kHidden).type != 9 || op.out().type != 9) return op.unsupported_types();
  return {};
}

}  // namespace

Status sequence_lstm(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Lstm l, lstm_of(op));
  const bool is_float = l.type == kF32;
  if (!is_float) HLOCC_TRY(check_scales_of_states(op));
  const InstructionId x = l.time_major ? op.value(0) : b.transpose(op.value(0), {1, 0, 2});
  HLOCC_TRY_ASSIGN(const InstructionId kept_hidden, op.state(kHidden));
  HLOCC_TRY_ASSIGN(const InstructionId kept_cell, op.state(kCell));
  const Dimensions sizes = {l.batch, l.units}, of_hidden = b.sizes(kept_hidden),
                   of_cell = b.sizes(kept_cell);
  const int64_t count = l.batch * l.units;
  if (b.shape(kept_hidden).element_count() != count || b.shape(kept_cell).element_count() != count)
    return op.wrong("states of another size");
  InstructionId gates;
  if (is_float) {
    gates = product(op, x, stacked(op, kInputWeights), kF32);
    gates = b.binary(Opcode::kAdd, gates, b.broadcast(stacked(op, kBiases), b.sizes(gates), {2}));
  } else {
    gates = quantized_side(op, x, op.in(0), kInputWeights, kBiases);
  }
  const InstructionId none = b.number(l.type, 0, {l.steps, l.batch, l.units});
  const auto step = [&](InstructionId iteration, const std::vector<InstructionId>& s) {
    const InstructionId now = b.row(s[0], iteration);
    const Step next =
        is_float ? float_step(op, l, now, {s[2], s[3]}) : integer_step(op, l, now, {s[2], s[3]});
    return std::vector{s[0], b.with_row(s[1], iteration, next.hidden), next.hidden, next.cell};
  };
  const auto done = b.loop(
      l.steps, {gates, none, b.reshape(kept_hidden, sizes), b.reshape(kept_cell, sizes)}, step);
  op.set_state(kHidden, b.reshape(done[2], of_hidden));
  op.set_state(kCell, b.reshape(done[3], of_cell));
  return op.set(l.time_major ? done[1] : b.transpose(done[1], {1, 0, 2}));
}

}  // namespace hlocc::import::tflite::ops
