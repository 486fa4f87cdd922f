// One walk forward. Values are the interpreter's, of arrays with an element a channel.
#include "transforms/integers/channel_values.h"

#include <algorithm>

#include "interpreter/interpreter.h"

namespace hlocc::transforms {
namespace {

using hlo::Dimensions, hlo::Instruction, hlo::InstructionId, hlo::Literal, hlo::Opcode;
using hlo::PrimitiveType, hlo::Shape;

const Literal& weights_of(const hlo::Computation& c, const Instruction& convolution) {
  return c.operand(convolution, 1).get<hlo::ConstantAttributes>().value;
}

// Of the weights, in the order in which they lie: output feature, input feature of its group,
// number.
template <typename Use>
void for_each_weight(const hlo::Computation& c, const Instruction& convolution, const Use& use) {
  const auto& a = convolution.get<hlo::ConvolutionAttributes>();
  const Literal& weights = weights_of(c, convolution);
  const Dimensions& sizes = weights.shape().dimensions;
  const auto inner = [&](int64_t dimension) {
    int64_t product = 1;
    for (size_t d = static_cast<size_t>(dimension) + 1; d < sizes.size(); ++d) product *= sizes[d];
    return product;
  };
  const int64_t outputs = inner(a.kernel_output_feature), inputs = inner(a.kernel_input_feature);
  for (int64_t at = 0; at < weights.element_count(); ++at)
    use(at / outputs % sizes[static_cast<size_t>(a.kernel_output_feature)],
        at / inputs % sizes[static_cast<size_t>(a.kernel_input_feature)],
        hlo::integer_at(weights, at));
}

class ChannelWalk {
 public:
  ChannelWalk(const hlo::Module& module, const hlo::Computation& c) : module_(module), c_(c) {}

  std::vector<std::optional<ChannelValues>> all;

  void visit(const Instruction& i) {
    std::optional<ChannelValues> values;
    if (i.opcode == Opcode::kConvolution)
      values = of_convolution(i);
    else if (i.opcode == Opcode::kPad)
      values = of_pad(i);
    else if (hlo::info(i.opcode).family == hlo::Family::kElementwise && i.called.empty())
      values = of_elements(i);
    all.push_back(std::move(values));
  }

 private:
  const ChannelValues* of(InstructionId id) const {
    const auto& values = all[static_cast<size_t>(id)];
    return values ? &*values : nullptr;
  }

  std::optional<ChannelValues> of_convolution(const Instruction& i) const {
    if (!has_known_weights(c_, i)) return std::nullopt;
    const auto& a = i.get<hlo::ConvolutionAttributes>();
    const auto outputs = static_cast<size_t>(i.shape.dimensions[a.output_feature]);
    const bool depthwise = is_depthwise(c_, i);
    const ChannelValues* input = of(i.operands[0]);
    if (input != nullptr && input->dimension != a.input_feature) input = nullptr;
    std::vector<bool> known(outputs, true);
    for_each_weight(c_, i, [&](int64_t to, int64_t from, int64_t weight) {
      if (weight == 0) return;
      const auto channel = static_cast<size_t>(depthwise ? to : from);
      const bool is_known = input != nullptr && input->known[channel] &&
                            (!reads_zeros(i) || hlo::integer_at(input->values, channel) == 0);
      if (!is_known) known[static_cast<size_t>(to)] = false;
    });
    std::vector<int32_t> sums(outputs);
    if (input != nullptr) sums = sums_of_known(c_, i, *input, input->known);
    return ChannelValues{
        a.output_feature, std::move(known),
        Literal::array<int32_t>(PrimitiveType::kS32, {static_cast<int64_t>(outputs)}, sums)};
  }

  std::optional<ChannelValues> of_pad(const Instruction& i) const {
    const ChannelValues* const from = of(i.operands[0]);
    if (from == nullptr || c_.operand(i, 1).opcode != Opcode::kConstant) return std::nullopt;
    const auto& dimensions = i.get<hlo::PadAttributes>().dimensions;
    if (dimensions[static_cast<size_t>(from->dimension)] != hlo::PaddingDimension{})
      return std::nullopt;
    ChannelValues values = *from;
    const Literal& beside = c_.operand(i, 1).get<hlo::ConstantAttributes>().value;
    if (!is_integer(beside.type())) return std::nullopt;
    for (size_t at = 0; at < values.known.size(); ++at)
      values.known[at] =
          values.known[at] && hlo::integer_at(values.values, at) == hlo::integer_at(beside, 0);
    return values;
  }

  std::optional<ChannelValues> of_elements(const Instruction& i) const {
    const ChannelValues* first = nullptr;
    for (const InstructionId id : i.operands)
      if (first == nullptr) first = of(id);
    if (first == nullptr || !i.shape.is_array()) return std::nullopt;
    const auto count = static_cast<int64_t>(first->known.size());
    ChannelValues values{first->dimension, std::vector<bool>(first->known.size(), true), {}};
    std::vector<Literal> operands;
    for (const InstructionId id : i.operands) {
      if (const ChannelValues* const one = of(id)) {
        if (one->dimension != first->dimension || one->known.size() != first->known.size())
          return std::nullopt;
        for (size_t at = 0; at < one->known.size(); ++at)
          values.known[at] = values.known[at] && one->known[at];
        operands.push_back(one->values);
        continue;
      }
      const Literal* const constant = broadcast_along(c_, id, first->dimension);
      if (constant == nullptr) return std::nullopt;
      const bool is_scalar = c_[id].shape.rank() == 0;  // a bound of clamp
      operands.push_back(constant->shape().rank() == 0 && !is_scalar ? repeated(*constant, count)
                                                                     : *constant);
    }
    Instruction step = i;
    step.shape = Shape::array(i.shape.element_type, {count});
    interpreter::RunState state;
    Result<Literal> made = interpreter::evaluate_instruction(module_, step, operands, state);
    if (!made.ok()) return std::nullopt;
    values.values = std::move(made).value();
    return values;
  }

  static Literal repeated(const Literal& scalar, int64_t count) {
    std::vector<std::byte> bytes;
    for (int64_t at = 0; at < count; ++at)
      bytes.insert(bytes.end(), scalar.bytes().begin(), scalar.bytes().end());
    return Literal::from_bytes(Shape::array(scalar.type(), {count}), std::move(bytes));
  }

  const hlo::Module& module_;
  const hlo::Computation& c_;
};

}  // namespace

bool has_known_weights(const hlo::Computation& c, const Instruction& i) {
  if (i.opcode != Opcode::kConvolution || i.shape.element_type != PrimitiveType::kS32) return false;
  const auto& a = i.get<hlo::ConvolutionAttributes>();
  const Instruction& weights = c.operand(i, 1);
  return weights.opcode == Opcode::kConstant && is_integer(weights.shape.element_type) &&
         is_integer(c.operand(i, 0).shape.element_type) && a.batch_group_count == 1 &&
         (a.feature_group_count == 1 || is_depthwise(c, i));
}

bool is_depthwise(const hlo::Computation& c, const Instruction& convolution) {
  const auto& a = convolution.get<hlo::ConvolutionAttributes>();
  const int64_t groups = a.feature_group_count;
  return groups > 1 && groups == convolution.shape.dimensions[a.output_feature] &&
         groups == c.operand(convolution, 0).shape.dimensions[a.input_feature];
}

bool reads_zeros(const Instruction& convolution) {
  const auto& window = convolution.get<hlo::ConvolutionAttributes>().window.dimensions;
  return std::ranges::any_of(window, [](const hlo::WindowDimension& d) {
    return d.padding_low > 0 || d.padding_high > 0 || d.base_dilation != 1;
  });
}

std::vector<int32_t> sums_of_known(const hlo::Computation& c, const Instruction& convolution,
                                   const ChannelValues& input, const std::vector<bool>& taken) {
  const auto& a = convolution.get<hlo::ConvolutionAttributes>();
  const bool depthwise = is_depthwise(c, convolution);
  std::vector<uint32_t> sums(static_cast<size_t>(convolution.shape.dimensions[a.output_feature]));
  for_each_weight(c, convolution, [&](int64_t to, int64_t from, int64_t weight) {
    const auto channel = static_cast<size_t>(depthwise ? to : from);
    if (input.known[channel] && taken[channel])
      sums[static_cast<size_t>(to)] +=
          static_cast<uint32_t>(weight) *
          static_cast<uint32_t>(hlo::integer_at(input.values, static_cast<int64_t>(channel)));
  });
  return {sums.begin(), sums.end()};
}

const Literal* broadcast_along(const hlo::Computation& c, InstructionId id, int64_t dimension) {
  const Instruction* i = &c[id];
  if (i->opcode == Opcode::kBroadcast) {
    const Dimensions& mapping = i->get<hlo::DimensionsAttributes>().dimensions;
    if (!mapping.empty() && mapping != Dimensions{dimension}) return nullptr;
    i = &c.operand(*i, 0);
  } else if (i->shape.rank() != 0) {
    return nullptr;
  }
  return i->opcode == Opcode::kConstant ? &i->get<hlo::ConstantAttributes>().value : nullptr;
}

std::vector<std::optional<ChannelValues>> channel_values(const hlo::Module& module,
                                                         const hlo::Computation& c) {
  ChannelWalk walk(module, c);
  for (const Instruction& i : c.instructions) walk.visit(i);
  return std::move(walk.all);
}

}  // namespace hlocc::transforms
