// See element_function.h.
#include "transforms/integers/element_function.h"

#include <algorithm>

#include "interpreter/interpreter.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

class ElementReader {
 public:
  ElementReader(const Rewriter& r, const Dimensions& dimensions, const ElementLimits& limits)
      : r_(r), dimensions_(dimensions), limits_(limits) {}

  // False where something is neither a step, a number nor an input.
  bool read(const Instruction& i) {
    return std::ranges::all_of(i.operands, [&](InstructionId operand) { return enter(operand); });
  }
  ElementFunction function;

 private:
  static bool is_known(const std::vector<InstructionId>& ids, InstructionId id) {
    return std::ranges::find(ids, id) != ids.end();
  }
  bool enter(InstructionId id) {
    if (is_known(function.inputs, id) || is_known(function.steps, id) || splat_value(r_, id))
      return true;
    const Instruction& i = r_[id];
    if (i.shape.dimensions != dimensions_) return false;
    if (limits_.is_input(id)) {
      function.inputs.push_back(id);
      return function.inputs.size() <= limits_.most_inputs;
    }
    if (limits_.with_channels && spread_constant(r_, id)) return true;
    const bool is_step = hlo::info(i.opcode).family == hlo::Family::kElementwise ||
                         (limits_.with_bits && i.opcode == Opcode::kBitcastConvert);
    if (!is_step || !i.called.empty() || is_complex(i.shape.element_type) ||
        ++steps_ > limits_.most_steps || !read(i))
      return false;
    function.steps.push_back(id);
    return true;
  }

  const Rewriter& r_;
  const Dimensions& dimensions_;
  const ElementLimits& limits_;
  size_t steps_ = 0;
};

// Values are of verified instructions.
Literal evaluated(const Rewriter& r, const Instruction& i, std::span<const Literal> operands) {
  interpreter::RunState state;
  Result<Literal> value = interpreter::evaluate_instruction(r.module(), i, operands, state);
  HLOCC_CHECK(value.ok(), "a step on elements can't be evaluated");
  return std::move(value).value();
}

// The constant's element at each place; one number has one.
Literal at_places(const Literal& constant, std::span<const int64_t> places, int64_t count) {
  const bool is_one = constant.shape().rank() == 0;
  Literal all = Literal::zeros(Shape::array(constant.type(), {count}));
  const auto width = static_cast<size_t>(hlo::storage_bytes(constant.type()));
  std::byte* to = all.mutable_bytes().data();
  for (size_t at = 0; at < static_cast<size_t>(count); ++at, to += width)
    std::memcpy(to, &constant.bytes()[is_one ? 0 : static_cast<size_t>(places[at]) * width], width);
  return all;
}

}  // namespace

std::optional<ElementFunction> element_function(const Rewriter& r, const Instruction& last,
                                                const ElementLimits& limits) {
  ElementReader reader(r, last.shape.dimensions, limits);
  if (!reader.read(last) || reader.function.inputs.empty()) return std::nullopt;
  return std::move(reader.function);
}

ElementValues evaluate_elements(const Rewriter& r, const ElementFunction& function,
                                const Instruction& last, std::vector<Literal> inputs,
                                std::span<const int64_t> channels) {
  const int64_t count = inputs[0].element_count();
  ElementValues known;
  for (size_t n = 0; n < inputs.size(); ++n)
    known.emplace(function.inputs[n], std::move(inputs[n]));
  const auto value_of = [&](Instruction i) {
    std::vector<Literal> operands;
    for (const InstructionId id : i.operands) {
      if (!known.contains(id)) {
        const std::optional<Literal> one = splat_value(r, id);
        known.emplace(id, at_places(one ? *one : spread_constant(r, id)->values, channels, count));
      }
      operands.push_back(known.at(id));
    }
    i.shape = Shape::array(i.shape.element_type, {count});
    return evaluated(r, i, operands);
  };
  for (const InstructionId step : function.steps) known.emplace(step, value_of(r[step]));
  known.emplace(kNone, value_of(last));
  return known;
}

Literal converted_elements(const Rewriter& r, const Literal& values, PrimitiveType type) {
  if (values.type() == type) return values;
  const Shape shape = Shape::array(type, values.shape().dimensions);
  return evaluated(r, hlo::make(Opcode::kConvert, shape, {0}), std::span(&values, 1));
}

}  // namespace hlocc::transforms
