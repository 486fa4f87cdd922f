// One walk forward. Values are the interpreter's, of arrays with an element a channel.
#include "transforms/channels/channel_values.h"

#include <algorithm>

#include "hlo/along.h"
#include "transforms/channels/seen_weights.h"
#include "transforms/integers/element_function.h"
#include "transforms/integers/quantized_step.h"

namespace hlocc::transforms {
namespace {

const Literal& weights_of(const Computation& c, const Instruction& convolution) {
  return *constant_value(c, convolution.operands[1]);
}

// Of the weights, in the order in which they lie: output feature, input feature of its group,
// number.
template <typename Use>
void for_each_weight(const Computation& c, const Instruction& convolution, const Use& use) {
  const auto& a = convolution.get<hlo::ConvolutionAttributes>();
  const Literal& weights = weights_of(c, convolution);
  const Dimensions& sizes = weights.shape().dimensions;
  const hlo::Along outputs(sizes, a.kernel_output_feature), inputs(sizes, a.kernel_input_feature);
  for (int64_t at = 0; at < weights.element_count(); ++at)
    use(outputs.place(at), inputs.place(at), integer_at(weights, at));
}

// Nothing hangs on the place but what is known.
void forget_places(ChannelValues& values) {
  values.placed = values.known;
  values.elsewhere.clear();
  values.padding.clear();
}

// Where all that a channel may be is one number it is known.
void settle(ChannelValues& values) {
  for (size_t at = 0; at < values.known.size(); ++at) {
    const auto channel = static_cast<int64_t>(at);
    values.known[at] =
        values.placed[at] && std::ranges::all_of(values.elsewhere, [&](const Literal& other) {
          return integer_at(other, channel) == integer_at(values.values, channel);
        });
  }
  if (values.known == values.placed) forget_places(values);
}

// Ways in which borders cut a window that are looked at one by one.
constexpr size_t kMostCuts = 256;

class ChannelWalk {
 public:
  ChannelWalk(const Module& module, const Computation& c) : module_(module), c_(c) {}

  std::vector<std::optional<ChannelValues>> all;

  void visit(const Instruction& i) {
    std::optional<ChannelValues> values;
    if (i.opcode == Opcode::kConvolution)
      values = of_convolution(i);
    else if (i.opcode == Opcode::kPad)
      values = of_pad(i);
    else if (is_element_step(i))
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
                            (!reads_zeros(i) || integer_at(input->values, channel) == 0);
      if (!is_known) known[static_cast<size_t>(to)] = false;
    });
    if (depthwise && input != nullptr)
      if (std::optional<ChannelValues> placed = of_borders(i, *input, known)) return placed;
    std::vector<int64_t> sums(outputs);
    if (input != nullptr) sums = sums_of_known(c_, i, *input, input->known);
    ChannelValues values{a.output_feature, std::move(known), words(sums)};
    forget_places(values);
    return values;
  }

  // A depthwise convolution, window by window that a border cuts; none where that says no more.
  std::optional<ChannelValues> of_borders(const Instruction& i, const ChannelValues& input,
                                          const std::vector<bool>& known) const {
    std::vector<bool> placed = known;
    for (size_t at = 0; at < placed.size(); ++at) placed[at] = placed[at] || input.placed[at];
    if (placed == known) return std::nullopt;
    const auto& a = i.get<hlo::ConvolutionAttributes>();
    const bool is_padded = !input.padding.empty();
    if (reads_zeros(i) ? is_padded || !input.elsewhere.empty() : !is_padded) return std::nullopt;
    if (is_padded && input.padding[static_cast<size_t>(a.input_batch)] != hlo::PaddingDimension{})
      return std::nullopt;
    SeenImage seen{weights_of(c_, i), a, {}, i.shape.dimensions};
    for (size_t d = 0; d < a.window.dimensions.size(); ++d) {
      const auto place = static_cast<size_t>(a.input_spatial[d]);
      ImageRange image{0, c_.operand(i, 0).shape.dimensions[place]};
      if (is_padded) image = {input.padding[place].low, image.end - input.padding[place].high};
      if (a.window.dimensions[d].base_dilation != 1) return std::nullopt;
      seen.image.push_back(image);
    }
    const std::vector<std::vector<int64_t>> cuts = seen_weights(seen);
    if (cuts.size() > kMostCuts) return std::nullopt;
    const std::vector<int64_t> all = sums_of_weights(i);
    ChannelValues values{a.output_feature, known, {}, std::move(placed), {}};
    for (const std::vector<int64_t>& weights : cuts) {
      std::vector<int64_t> sums(weights.size());
      for (size_t at = 0; at < sums.size(); ++at) {
        const auto channel = static_cast<int64_t>(at);
        const int64_t beside = is_padded ? integer_at(input.elsewhere[0], channel) : 0;
        sums[at] =
            weights[at] * integer_at(input.values, channel) + (all[at] - weights[at]) * beside;
      }
      if (&weights == cuts.data())
        values.values = words(sums);
      else
        values.elsewhere.push_back(words(sums));
    }
    settle(values);
    return values;
  }

  // Of each output feature.
  std::vector<int64_t> sums_of_weights(const Instruction& i) const {
    std::vector<int64_t> sums(static_cast<size_t>(
        i.shape.dimensions[i.get<hlo::ConvolutionAttributes>().output_feature]));
    for_each_weight(c_, i, [&](int64_t to, int64_t, int64_t weight) {
      sums[static_cast<size_t>(to)] += weight;
    });
    return sums;
  }

  // In numbers that wrap, as the sums do.
  static Literal words(const std::vector<int64_t>& numbers) {
    return integers(PrimitiveType::kS32, {std::ssize(numbers)}, numbers);
  }

  std::optional<ChannelValues> of_pad(const Instruction& i) const {
    const ChannelValues* const from = of(i.operands[0]);
    const Literal* const beside = constant_value(c_, i.operands[1]);
    if (from == nullptr || beside == nullptr || !is_integer(beside->type())) return std::nullopt;
    const auto& dimensions = i.get<hlo::PadAttributes>().dimensions;
    if (dimensions[static_cast<size_t>(from->dimension)] != hlo::PaddingDimension{})
      return std::nullopt;
    ChannelValues values = *from;
    if (!values.elsewhere.empty()) forget_places(values);
    values.elsewhere = {repeated(*beside, {std::ssize(values.known)})};
    values.padding = dimensions;
    settle(values);
    if (std::ranges::any_of(dimensions, [](const auto& d) { return d.interior != 0; }))
      forget_places(values);
    return values;
  }

  std::optional<ChannelValues> of_elements(const Instruction& i) const {
    const ChannelValues* first = nullptr;
    for (const InstructionId id : i.operands)
      if (first == nullptr) first = of(id);
    if (first == nullptr) return std::nullopt;
    const auto count = static_cast<int64_t>(first->known.size());
    ChannelValues values{first->dimension, std::vector<bool>(first->known.size(), true), {}};
    values.placed = values.known;
    const ChannelValues* by_place = nullptr;  // one array; of several it would be place by place
    bool are_several = false;
    for (const InstructionId id : i.operands) {
      const ChannelValues* const one = of(id);
      if (one == nullptr || one->elsewhere.empty()) continue;
      are_several |= by_place != nullptr;
      by_place = one;
    }
    if (are_several) by_place = nullptr;
    std::vector<Literal> operands;
    size_t place = 0;
    for (const InstructionId id : i.operands) {
      if (const ChannelValues* const one = of(id)) {
        if (one->dimension != first->dimension) return std::nullopt;
        for (size_t at = 0; at < one->known.size(); ++at)
          values.placed[at] = values.placed[at] && (one == by_place ? one->placed : one->known)[at];
        if (one == by_place) place = operands.size();
        operands.push_back(one->values);
        continue;
      }
      const std::optional<ChannelConstant> constant = channel_constant(c_, id);
      const bool is_along = constant && constant->mapping == Dimensions{first->dimension};
      if (!constant || !(constant->is_one() || is_along)) return std::nullopt;
      operands.push_back(is_along ? constant->values : repeated(constant->values, {count}));
    }
    values.values = evaluated(module_, i, operands, {count});
    for (size_t at = 0; by_place != nullptr && at < by_place->elsewhere.size(); ++at) {
      operands[place] = by_place->elsewhere[at];
      values.elsewhere.push_back(evaluated(module_, i, operands, {count}));
    }
    if (by_place != nullptr) values.padding = by_place->padding;
    settle(values);
    return values;
  }

  const Module& module_;
  const Computation& c_;
};

}  // namespace

bool has_known_weights(const Computation& c, const Instruction& i) {
  if (i.shape.element_type != PrimitiveType::kS32) return false;
  const auto& a = i.get<hlo::ConvolutionAttributes>();
  const Instruction& weights = c.operand(i, 1);
  return weights.opcode == Opcode::kConstant && is_integer(weights.shape.element_type) &&
         is_integer(c.operand(i, 0).shape.element_type) && a.batch_group_count == 1 &&
         (a.feature_group_count == 1 || is_depthwise(c, i));
}

bool is_depthwise(const Computation& c, const Instruction& convolution) {
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

std::vector<int64_t> sums_of_known(const Computation& c, const Instruction& convolution,
                                   const ChannelValues& input, const std::vector<bool>& taken) {
  const auto& a = convolution.get<hlo::ConvolutionAttributes>();
  const bool depthwise = is_depthwise(c, convolution);
  std::vector<int64_t> sums(static_cast<size_t>(convolution.shape.dimensions[a.output_feature]));
  for_each_weight(c, convolution, [&](int64_t to, int64_t from, int64_t weight) {
    const int64_t channel = depthwise ? to : from;
    if (input.known[static_cast<size_t>(channel)] && taken[static_cast<size_t>(channel)])
      // In numbers that wrap, as the sums do.
      sums[static_cast<size_t>(to)] = static_cast<int32_t>(
          sums[static_cast<size_t>(to)] + weight * integer_at(input.values, channel));
  });
  return sums;
}

std::vector<std::optional<ChannelValues>> channel_values(const Module& module,
                                                         const Computation& c) {
  ChannelWalk walk(module, c);
  for (const Instruction& i : c.instructions) walk.visit(i);
  return std::move(walk.all);
}

}  // namespace hlocc::transforms
