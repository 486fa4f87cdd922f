// See byte_function.h. Every step is given to the interpreter once, with an element for each pair.
#include "transforms/integers/byte_function.h"

#include <algorithm>

#include "interpreter/interpreter.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

constexpr size_t kMaxPairSteps = 48;

bool is_byte(PrimitiveType type) { return is_integer(type) && hlo::type_bits(type) == 8; }

class PairReader {
 public:
  PairReader(const Rewriter& r, const Dimensions& dimensions) : r_(r), dimensions_(dimensions) {}

  // False where something is neither a step, a number nor one of two arrays.
  bool read(const Instruction& i) {
    note(i.shape.element_type);
    return std::all_of(i.operands.begin(), i.operands.end(),
                       [&](InstructionId operand) { return enter(operand); });
  }
  ByteFunction function;

 private:
  bool enter(InstructionId id) {
    if (id == function.first || id == function.second || has(id) || splat_value(r_, id))
      return true;
    const Instruction& i = r_[id];
    if (i.shape.dimensions != dimensions_) return false;
    if (is_byte(i.shape.element_type)) return enter_array(id);
    if (hlo::info(i.opcode).family != hlo::Family::kElementwise || !i.called.empty() ||
        is_complex(i.shape.element_type) || ++depth_ > kMaxPairSteps)
      return false;
    if (!read(i)) return false;
    function.steps.push_back(id);
    return true;
  }
  bool enter_array(InstructionId id) {
    InstructionId& place = function.first == kNone ? function.first : function.second;
    if (place != kNone) return false;
    place = id;
    return true;
  }
  bool has(InstructionId id) const {
    return std::find(function.steps.begin(), function.steps.end(), id) != function.steps.end();
  }
  void note(PrimitiveType type) {
    if (is_integer(type))
      function.computes_in_64_bits |= hlo::type_bits(type) == 64;
    else
      function.computes_in_floats |= !is_pred(type);
  }

  const Rewriter& r_;
  const Dimensions& dimensions_;
  size_t depth_ = 0;
};

Literal numbers_of(PrimitiveType type, const ByteTable& table, bool of_first) {
  Literal all = Literal::zeros(Shape::array(type, {table.rows() * table.columns()}));
  const int64_t low = static_cast<int64_t>(of_first ? table.firsts.low : table.seconds.low);
  for (int64_t at = 0; at < all.element_count(); ++at)
    all.mutable_bytes()[at] =
        static_cast<std::byte>(low + (of_first ? at / table.columns() : at % table.columns()));
  return all;
}

class PairEvaluator {
 public:
  PairEvaluator(Rewriter& r, int64_t count) : r_(r), count_(count) {}

  std::map<InstructionId, Literal> known;

  Literal value_of(Instruction i) {
    std::vector<Literal> operands;
    for (InstructionId operand : i.operands) {
      if (known.count(operand) == 0) spread(operand);
      operands.push_back(known.at(operand));
    }
    i.shape = Shape::array(i.shape.element_type, {count_});
    return evaluated(i, operands);
  }

 private:
  Literal evaluated(const Instruction& i, std::span<const Literal> operands) {
    interpreter::RunState state;
    Result<Literal> value = interpreter::evaluate_instruction(r_.module(), i, operands, state);
    HLOCC_CHECK(value.ok(), "a step on elements can't be evaluated");
    return std::move(value).value();
  }
  // A number, which all else among the operands is, in every place.
  void spread(InstructionId id) {
    const Literal scalar = *splat_value(r_, id);
    const Instruction everywhere =
        hlo::make(Opcode::kBroadcast, Shape::array(scalar.type(), {count_}), {id},
                  hlo::DimensionsAttributes{});
    known.emplace(id, evaluated(everywhere, std::span(&scalar, 1)));
  }

  Rewriter& r_;
  int64_t count_;
};

}  // namespace

std::optional<ByteFunction> byte_function(const Rewriter& r, const Instruction& last) {
  PairReader reader(r, last.shape.dimensions);
  if (!reader.read(last) || reader.function.first == kNone) return std::nullopt;
  return std::move(reader.function);
}

namespace {

// The value at each element of the arrays; of a function of one array the second is none.
Literal values_of(Rewriter& r, const ByteFunction& function, const Instruction& last, Literal first,
                  std::optional<Literal> second) {
  PairEvaluator evaluator(r, first.element_count());
  evaluator.known.emplace(function.first, std::move(first));
  if (second) evaluator.known.emplace(function.second, std::move(*second));
  for (InstructionId step : function.steps)
    evaluator.known.emplace(step, evaluator.value_of(r[step]));
  return evaluator.value_of(last);
}

}  // namespace

ByteTable evaluate(Rewriter& r, const ByteFunction& function, const Instruction& last,
                   IntegerRanges& ranges) {
  ByteTable table{ranges.of(function.first), ranges.of(function.second), {}};
  const Literal values =
      values_of(r, function, last, numbers_of(r.type(function.first), table, true),
                numbers_of(r.type(function.second), table, false));
  for (int64_t at = 0; at < values.element_count(); ++at)
    table.values.push_back(static_cast<int16_t>(integer_at(values, at)));
  return table;
}

Literal evaluate_bytes(Rewriter& r, const ByteFunction& function, const Instruction& last) {
  constexpr int64_t kBytes = 256;
  Literal bytes = Literal::zeros(Shape::array(r.type(function.first), {kBytes}));
  for (int64_t at = 0; at < kBytes; ++at)
    bytes.mutable_bytes()[static_cast<size_t>(at)] = static_cast<std::byte>(at);
  return values_of(r, function, last, std::move(bytes), std::nullopt);
}

}  // namespace hlocc::transforms
