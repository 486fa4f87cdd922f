// See byte_function.h. There is an element for each pair.
#include "transforms/integers/byte_function.h"

namespace hlocc::transforms {
namespace {

constexpr size_t kMaxPairSteps = 48;

bool is_byte(PrimitiveType type) { return is_integer(type) && hlo::type_bits(type) == 8; }

Literal numbers_of(PrimitiveType type, const ByteTable& table, bool of_first) {
  Literal all = Literal::zeros(Shape::array(type, {table.rows() * table.columns()}));
  const int64_t low = static_cast<int64_t>(of_first ? table.firsts.low : table.seconds.low);
  for (int64_t at = 0; at < all.element_count(); ++at)
    all.mutable_bytes()[at] =
        static_cast<std::byte>(low + (of_first ? at / table.columns() : at % table.columns()));
  return all;
}

}  // namespace

std::optional<ByteFunction> byte_function(const Rewriter& r, const Instruction& last) {
  const auto is_input = [&](InstructionId id) { return is_byte(r.type(id)); };
  const auto read = element_function(r, last, {is_input, 2, kMaxPairSteps});
  if (!read) return std::nullopt;
  ByteFunction function{*read, read->inputs[0], read->inputs.size() > 1 ? read->inputs[1] : kNone};
  const auto note = [&](PrimitiveType type) {
    if (is_integer(type))
      function.computes_in_64_bits |= hlo::type_bits(type) == 64;
    else
      function.computes_in_floats |= !is_pred(type);
  };
  note(last.shape.element_type);
  for (const InstructionId step : read->steps) note(r.type(step));
  return function;
}

ByteTable evaluate(const Rewriter& r, const ByteFunction& function, const Instruction& last,
                   IntegerRanges& ranges) {
  ByteTable table{ranges.of(function.first), ranges.of(function.second), {}};
  const ElementValues all = evaluate_elements(r, function.elements, last,
                                              {numbers_of(r.type(function.first), table, true),
                                               numbers_of(r.type(function.second), table, false)});
  const Literal& values = all.at(kNone);
  for (int64_t at = 0; at < values.element_count(); ++at)
    table.values.push_back(static_cast<int16_t>(integer_at(values, at)));
  return table;
}

Literal evaluate_bytes(const Rewriter& r, const ByteFunction& function, const Instruction& last) {
  constexpr int64_t kBytes = 256;
  Literal bytes = Literal::zeros(Shape::array(r.type(function.first), {kBytes}));
  for (int64_t at = 0; at < kBytes; ++at)
    bytes.mutable_bytes()[static_cast<size_t>(at)] = static_cast<std::byte>(at);
  return evaluate_elements(r, function.elements, last, {std::move(bytes)}).at(kNone);
}

}  // namespace hlocc::transforms
