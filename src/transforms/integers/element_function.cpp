// See element_function.h.
#include "transforms/integers/element_function.h"

#include <algorithm>

#include "interpreter/interpreter.h"
#include "transforms/integers/quantized_step.h"

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
    if (is_known(function.inputs, id) || is_known(function.steps, id)) return true;
    const std::optional<ChannelConstant> constant = channel_constant(r_, id);
    if (constant && constant->is_one()) return true;
    const Instruction& i = r_[id];
    if (i.shape.dimensions != dimensions_) return false;
    if (limits_.is_input(id)) {
      function.inputs.push_back(id);
      return function.inputs.size() <= limits_.most_inputs;
    }
    if (limits_.with_channels && constant) return true;
    const bool is_step =
        is_element_step(i) || (limits_.with_bits && i.opcode == Opcode::kBitcastConvert);
    if (!is_step || is_complex(i.shape.element_type) || ++steps_ > limits_.most_steps || !read(i))
      return false;
    function.steps.push_back(id);
    return true;
  }

  const Rewriter& r_;
  const Dimensions& dimensions_;
  const ElementLimits& limits_;
  size_t steps_ = 0;
};

// The constant's element at each place; one number has one.
Literal at_places(const Literal& constant, std::span<const int64_t> places, int64_t count) {
  if (constant.shape().rank() == 0) return repeated(constant, {count});
  Literal all = Literal::zeros(Shape::array(constant.type(), {count}));
  const auto width = static_cast<size_t>(hlo::storage_bytes(constant.type()));
  std::byte* to = all.mutable_bytes().data();
  for (size_t at = 0; at < static_cast<size_t>(count); ++at, to += width)
    std::memcpy(to, &constant.bytes()[static_cast<size_t>(places[at]) * width], width);
  return all;
}

}  // namespace

bool is_element_step(const Instruction& i) {
  return hlo::info(i.opcode).family == hlo::Family::kElementwise && i.called.empty();
}

Literal evaluated(const Module& module, Instruction i, std::span<const Literal> operands,
                  const Dimensions& sizes) {
  i.shape = Shape::array(i.shape.element_type, sizes);
  interpreter::RunState state;
  Result<Literal> value = interpreter::evaluate_instruction(module, i, operands, state);
  HLOCC_CHECK(value.ok(), "a step on elements can't be evaluated");
  return std::move(value).value();
}

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
  const auto value_of = [&](const Instruction& i) {
    std::vector<Literal> operands;
    for (const InstructionId id : i.operands) {
      if (!known.contains(id))
        known.emplace(id, at_places(channel_constant(r, id)->values, channels, count));
      operands.push_back(known.at(id));
    }
    return evaluated(r.module(), i, operands, {count});
  };
  for (const InstructionId step : function.steps) known.emplace(step, value_of(r[step]));
  known.emplace(kNone, value_of(last));
  return known;
}

}  // namespace hlocc::transforms
