// RNN, GRU and LSTM: one loop a direction, or one step where the sequence has one element.
#include "import/onnx/curves.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

enum class Cell : uint8_t { kRnn, kGru, kLstm };
struct CellRow {
  int gates;
  std::vector<std::string> curves;
};
CellRow row_of(Cell cell) {
  if (cell == Cell::kRnn) return {1, {"Tanh"}};
  if (cell == Cell::kGru) return {3, {"Sigmoid", "Tanh"}};
  return {4, {"Sigmoid", "Tanh", "Tanh"}};
}

// What all directions share.
struct Layer {
  Cell cell;
  PrimitiveType type = kF32;
  int64_t steps = 0, batch = 0, units = 0, inputs = 0, directions = 1;
  bool is_batch_first = false, reset_after = false, couples = false;
  float clip = 0;
  std::vector<Curve> curves;  // of all directions
  InstructionId x = 0;        // [steps, batch, inputs]
};

// Weights of one direction, as they are multiplied; and its states.
struct Direction1 {
  bool is_backward = false;
  InstructionId w = 0, r = 0, wb = 0, rb = 0, peepholes = 0, hidden = 0, cell = 0;
  bool has_peepholes = false;
  const Curve* curves = nullptr;
};

struct State {
  InstructionId hidden = 0, cell = 0;
};

constexpr int kWeights = 1, kRecurrent = 2, kBias = 3, kLengths = 4, kHidden = 5, kCell = 6,
              kPeepholes = 7;

Result<Layer> layer_of(const Op& op, Cell cell) {
  const CellRow row = row_of(cell);
  Layer out{.cell = cell, .type = op.type(0)};
  const std::string direction = op.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return op.wrong(cat("direction is \"", direction, "\""));
  out.directions = direction == "bidirectional" ? 2 : 1;
  out.is_batch_first = op.flag("layout");
  out.clip = op.real("clip");
  if (cell == Cell::kGru) out.reset_after = op.flag("linear_before_reset");
  if (cell == Cell::kLstm) out.couples = op.flag("input_forget");
  HLOCC_TRY_ASSIGN(out.curves, curves_of(op, row.curves, static_cast<size_t>(out.directions)));
  HLOCC_TRY(op.require_rank(0, 3));
  HLOCC_TRY(op.require_rank(kWeights, 3));
  HLOCC_TRY(op.require_rank(kRecurrent, 3));
  out.x = out.is_batch_first ? op.b.transpose(op.value(0), {1, 0, 2}) : op.value(0);
  const Dimensions x = op.b.sizes(out.x), w = op.sizes(kWeights), r = op.sizes(kRecurrent);
  out.steps = x[0];
  out.batch = x[1];
  out.inputs = x[2];
  out.units = r[2];
  if (w != Dimensions{out.directions, row.gates * out.units, out.inputs} ||
      r != Dimensions{out.directions, row.gates * out.units, out.units} ||
      op.integer("hidden_size", out.units) != out.units)
    return op.wrong(cat("weights ", op.b.shape(op.value(kWeights)), " and ",
                        op.b.shape(op.value(kRecurrent)), " for ", op.b.shape(op.value(0))));
  if (!hlo::is_float(out.type)) return op.unsupported_types();
  if (out.steps < 1) return op.wrong("a sequence of no steps");
  return out;
}

// The part of an operand for one direction, without that dimension.
Result<InstructionId> part(const Op& op, int operand, int64_t direction, const Dimensions& sizes) {
  Builder& b = op.b;
  Dimensions all = sizes;
  all.insert(all.begin(), op.sizes(kWeights)[0]);
  if (op.sizes(operand) != all)
    return op.wrong(cat("operand ", operand, " is ", b.shape(op.value(operand)), ", not ",
                        Shape::array(op.type(operand), all)));
  return b.reshape(b.slice(op.value(operand), 0, direction, direction + 1), sizes);
}

Result<InstructionId> state_of(const Op& op, const Layer& l, int operand, int64_t direction) {
  Builder& b = op.b;
  if (!op.has(operand)) return b.number(l.type, 0, {l.batch, l.units});
  const InstructionId all =
      l.is_batch_first ? b.transpose(op.value(operand), {1, 0, 2}) : op.value(operand);
  if (b.sizes(all) != Dimensions{l.directions, l.batch, l.units})
    return op.wrong(cat("a state of ", b.shape(op.value(operand))));
  return b.reshape(b.slice(all, 0, direction, direction + 1), {l.batch, l.units});
}

Result<Direction1> direction_of(const Op& op, const Layer& l, int64_t number) {
  Builder& b = op.b;
  const int64_t gates = row_of(l.cell).gates, width = gates * l.units;
  Direction1 out;
  out.is_backward = number == 1 || op.text("direction", "forward") == "reverse";
  out.curves = &l.curves[static_cast<size_t>(number) * row_of(l.cell).curves.size()];
  HLOCC_TRY_ASSIGN(out.w, part(op, kWeights, number, {width, l.inputs}));
  HLOCC_TRY_ASSIGN(out.r, part(op, kRecurrent, number, {width, l.units}));
  out.wb = out.rb = b.number(l.type, 0, {width});
  if (op.has(kBias)) {
    HLOCC_TRY_ASSIGN(const InstructionId both, part(op, kBias, number, {2 * width}));
    out.wb = b.slice(both, 0, 0, width);
    out.rb = b.slice(both, 0, width, 2 * width);
  }
  HLOCC_TRY_ASSIGN(out.hidden, state_of(op, l, kHidden, number));
  if (l.cell == Cell::kLstm) {
    HLOCC_TRY_ASSIGN(out.cell, state_of(op, l, kCell, number));
    out.has_peepholes = op.has(kPeepholes);
    if (out.has_peepholes) {
      HLOCC_TRY_ASSIGN(out.peepholes, part(op, kPeepholes, number, {3 * l.units}));
    }
  }
  return out;
}

// One step of a cell. Weights are instructions of the computation that the step is in.
class Step {
 public:
  Step(Builder& b, const Layer& l, const Direction1& d) : b_(b), l_(l), d_(d) {}

  // `from_input`: W x + Wb of all gates.
  State next(InstructionId from_input, State now) const {
    if (l_.cell == Cell::kRnn) return rnn(from_input, now);
    return l_.cell == Cell::kGru ? gru(from_input, now) : lstm(from_input, now);
  }

 private:
  InstructionId gate(InstructionId all, int64_t i) const {
    return b_.slice(all, 1, i * l_.units, (i + 1) * l_.units);
  }
  InstructionId sum(InstructionId a, InstructionId c) const {
    return b_.binary(Opcode::kAdd, a, c);
  }
  InstructionId product(InstructionId a, InstructionId c) const {
    return b_.binary(Opcode::kMultiply, a, c);
  }
  InstructionId row(InstructionId vector, InstructionId like) const {
    return b_.broadcast(vector, b_.sizes(like), {1});
  }
  InstructionId curve(int i, InstructionId x) const {
    return curved(b_, d_.curves[i], l_.clip > 0 ? b_.clamp(x, -l_.clip, l_.clip) : x);
  }
  // h R^T of some gates.
  InstructionId recurrent(InstructionId hidden, InstructionId weights) const {
    hlo::DotAttributes how;
    how.lhs_contracting = how.rhs_contracting = {1};
    return b_.dot(hidden, weights, std::move(how), l_.type);
  }

  State rnn(InstructionId from_input, State now) const {
    const InstructionId all =
        sum(sum(from_input, recurrent(now.hidden, d_.r)), row(d_.rb, from_input));
    return {curve(0, all), now.cell};
  }

  State gru(InstructionId from_input, State now) const {
    const int64_t two = 2 * l_.units, three = 3 * l_.units;
    const auto rows = [&](int64_t from, int64_t to) { return b_.slice(d_.r, 0, from, to); };
    const auto bias = [&](int64_t from, int64_t to, InstructionId like) {
      return row(b_.slice(d_.rb, 0, from, to), like);
    };
    const InstructionId in_gates = b_.slice(from_input, 1, 0, two);
    InstructionId gates, update, reset, news;
    if (l_.reset_after) {
      const InstructionId all = sum(recurrent(now.hidden, d_.r), row(d_.rb, from_input));
      gates = sum(in_gates, b_.slice(all, 1, 0, two));
      update = curve(0, gate(gates, 0));
      reset = curve(0, gate(gates, 1));
      news = sum(gate(from_input, 2), product(reset, gate(all, 2)));
    } else {
      gates = sum(sum(in_gates, recurrent(now.hidden, rows(0, two))), bias(0, two, in_gates));
      update = curve(0, gate(gates, 0));
      reset = curve(0, gate(gates, 1));
      const InstructionId back = recurrent(product(reset, now.hidden), rows(two, three));
      news = sum(sum(gate(from_input, 2), back), bias(two, three, back));
    }
    news = curve(1, news);
    const InstructionId rest = b_.binary(Opcode::kSubtract, b_.like(update, 1), update);
    return {sum(product(rest, news), product(update, now.hidden)), now.cell};
  }

  // Gates stand in the order input, output, forget, cell.
  State lstm(InstructionId from_input, State now) const {
    const InstructionId all =
        sum(sum(from_input, recurrent(now.hidden, d_.r)), row(d_.rb, from_input));
    const auto open = [&](int64_t i, int64_t peephole, InstructionId cell) {
      InstructionId x = gate(all, i);
      if (d_.has_peepholes) {
        const InstructionId p =
            b_.slice(d_.peepholes, 0, peephole * l_.units, (peephole + 1) * l_.units);
        x = sum(x, product(row(p, cell), cell));
      }
      return curve(0, x);
    };
    const InstructionId input = open(0, 0, now.cell);
    const InstructionId forget =
        l_.couples ? b_.binary(Opcode::kSubtract, b_.like(input, 1), input) : open(2, 2, now.cell);
    const InstructionId cell =
        sum(product(forget, now.cell), product(input, curve(1, gate(all, 3))));
    return {product(open(1, 1, cell), curve(2, cell)), cell};
  }

  Builder& b_;
  const Layer& l_;
  const Direction1& d_;
};

struct Sequence {
  InstructionId all = 0;  // [steps, batch, units]
  State last;
};

// `lengths`: how many steps each sequence of the batch has; null where all have all.
Sequence run_direction(const Op& op, const Layer& l, const Direction1& d,
                       std::optional<InstructionId> lengths) {
  Builder& b = op.b;
  hlo::DotAttributes how;
  how.lhs_contracting = {2};
  how.rhs_contracting = {1};
  InstructionId gates = b.dot(l.x, d.w, std::move(how), l.type);
  gates = b.binary(Opcode::kAdd, gates, b.broadcast(d.wb, b.sizes(gates), {2}));
  if (l.steps == 1 && !lengths) {
    const InstructionId now = b.reshape(gates, {l.batch, b.size(gates, 2)});
    const State next = Step(b, l, d).next(now, {d.hidden, d.cell});
    return {b.reshape(next.hidden, {1, l.batch, l.units}), next};
  }
  // What the loop reads travels in its state: an instruction is of one computation.
  const InstructionId none = b.number(l.type, 0, {l.steps, l.batch, l.units});
  const bool is_lstm = l.cell == Cell::kLstm;
  std::vector<InstructionId> state = {none,  d.hidden, is_lstm ? d.cell : d.hidden,
                                      gates, d.r,      d.rb};
  if (d.has_peepholes) state.push_back(d.peepholes);
  if (lengths) state.push_back(*lengths);
  const auto body = [&](InstructionId iteration, const std::vector<InstructionId>& s) {
    Direction1 own = d;
    own.r = s[4];
    own.rb = s[5];
    if (d.has_peepholes) own.peepholes = s[6];
    const InstructionId last = b.number(kS32, static_cast<double>(l.steps - 1));
    const InstructionId at =
        d.is_backward ? b.binary(Opcode::kSubtract, last, iteration) : iteration;
    State next = Step(b, l, own).next(b.row(s[3], at), {s[1], s[2]});
    InstructionId shown = next.hidden;
    if (lengths) {
      const Dimensions sizes = {l.batch, l.units};
      const InstructionId is_there =
          b.compare(b.broadcast(at, sizes, {}), b.broadcast(s.back(), sizes, {0}), Direction::kLt);
      shown = b.select(is_there, next.hidden, b.like(next.hidden, 0));
      next.hidden = b.select(is_there, next.hidden, s[1]);
      if (is_lstm) next.cell = b.select(is_there, next.cell, s[2]);
    }
    std::vector<InstructionId> out = s;
    out[0] = b.with_row(s[0], at, shown);
    out[1] = next.hidden;
    out[2] = is_lstm ? next.cell : next.hidden;
    return out;
  };
  const std::vector<InstructionId> done = b.loop(l.steps, state, body);
  return {done[0], {done[1], done[2]}};
}

Status recurrent_layer(const Op& op, Cell cell) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Layer l, layer_of(op, cell));
  std::optional<InstructionId> lengths;
  if (op.has(kLengths)) {
    HLOCC_TRY(op.require_rank(kLengths, 1));
    if (!hlo::is_integer(op.type(kLengths))) return op.unsupported_types();
    const std::optional<Literal> known = op.known(kLengths);
    bool are_all = known.has_value();
    for (int64_t i = 0; known && i < known->element_count(); ++i)
      are_all = are_all && hlo::integer_at(*known, i) == l.steps;
    if (!are_all) lengths = b.convert(op.value(kLengths), kS32);
  }
  std::vector<InstructionId> all, hidden, cells;
  for (int64_t i = 0; i < l.directions; ++i) {
    HLOCC_TRY_ASSIGN(const Direction1 d, direction_of(op, l, i));
    const Sequence s = run_direction(op, l, d, lengths);
    all.push_back(b.reshape(s.all, {l.steps, 1, l.batch, l.units}));
    hidden.push_back(b.reshape(s.last.hidden, {1, l.batch, l.units}));
    if (cell == Cell::kLstm) cells.push_back(b.reshape(s.last.cell, {1, l.batch, l.units}));
  }
  const auto set = [&](int i, InstructionId y, const Dimensions& batch_first) {
    op.set(i, l.is_batch_first ? b.transpose(y, batch_first) : y);
  };
  set(0, b.concatenate(all, 1), {2, 0, 1, 3});
  set(1, b.concatenate(hidden, 0), {1, 0, 2});
  if (cell == Cell::kLstm) set(2, b.concatenate(cells, 0), {1, 0, 2});
  return {};
}

}  // namespace

Status rnn(const Op& op) { return recurrent_layer(op, Cell::kRnn); }
Status gru(const Op& op) { return recurrent_layer(op, Cell::kGru); }
Status lstm(const Op& op) { return recurrent_layer(op, Cell::kLstm); }

}  // namespace hlocc::import::onnx::ops
