// See byte_function.h. There is an element for each pair.
#include "transforms/integers/byte_function.h"

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

constexpr size_t kMaxPairSteps = 48;

bool is_byte(PrimitiveType type) { return is_integer(type) && hlo::type_bits(type) == 8; }

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
  std::vector<int64_t> x, y;
  for (int64_t first = static_cast<int64_t>(table.firsts.low); first <= table.firsts.high; ++first)
    for (int64_t n = 0; n < table.columns(); ++n) {
      x.push_back(first);
      y.push_back(static_cast<int64_t>(table.seconds.low) + n);
    }
  const ElementValues all =
      evaluate_elements(r, function.elements, last,
                        {integers(r.type(function.first), {std::ssize(x)}, x),
                         integers(r.type(function.second), {std::ssize(y)}, y)});
  const std::vector<int64_t> values = whole_numbers(all.at(kNone));
  table.values.assign(values.begin(), values.end());
  return table;
}

Literal evaluate_bytes(const Rewriter& r, const ByteFunction& function, const Instruction& last) {
  const Literal bytes = integers(r.type(function.first), {256}, counting(256));
  return evaluate_elements(r, function.elements, last, {bytes}).at(kNone);
}

}  // namespace hlocc::transforms
