// See channel_fits.h.
#include "transforms/integers/channel_fits.h"

#include <algorithm>
#include <cmath>

#include "hlo/along.h"
#include "transforms/build.h"
#include "transforms/integers/requantized.h"

namespace hlocc::transforms {
namespace {

// Numbers evaluated at compile time, of one chain.
constexpr int64_t kMaxEvaluations = 1 << 22;
// A bias so many times as large as all that is added to it is out of reach of the clamps in most
// layers, and costs the others bits in all of them.
constexpr int64_t kFar = 4;

// A bias a channel in front of the chain, and the sums that it is added to.
struct Bias {
  BiasedSum sum;
  Range sums;
  int64_t reach = 0;  // the largest magnitude of the sums

  bool is_far(int64_t number) const { return std::abs(number) > kFar * reach; }
};

// None where there is no bias, no channel of it is far, or where a sum may wrap.
std::optional<Bias> far_bias(const Rewriter& r, const MonotoneChain& chain, IntegerRanges& ranges) {
  std::optional<BiasedSum> sum = biased_sum(r, chain.base, chain.mapping, chain.sizes);
  if (!sum) return std::nullopt;
  const Range sums = ranges.of(sum->unbiased);
  Bias bias{std::move(*sum), sums, static_cast<int64_t>(std::max(-sums.low, sums.high))};
  bool is_far = false;
  for (const int64_t number : bias.sum.bias) {
    const Range all{sums.low + number, sums.high + number};
    if (!all.within(range_of_type(PrimitiveType::kS32))) return std::nullopt;
    is_far |= bias.is_far(number);
  }
  return is_far ? std::optional(std::move(bias)) : std::nullopt;
}

// The thresholds count from elsewhere.
void move(ChannelFit& fit, int64_t by) {
  fit.function.low += by;
  fit.function.high += by;
  for (StepFunction::Step& step : fit.function.steps) step.at += by;
  fit.line.intercept -= fit.line.slope * static_cast<double>(by);
}

bool is_flat(const ChannelFit& fit) { return fit.function.steps.empty(); }

// The channel whose line rises most; null where all are flat.
const ChannelFit* steepest_of(const std::vector<ChannelFit>& fits) {
  const ChannelFit* steepest = nullptr;
  for (const ChannelFit& c : fits)
    if (!is_flat(c) && (steepest == nullptr || c.line.slope > steepest->line.slope)) steepest = &c;
  return steepest;
}

// A line for a flat channel whose sums were moved: the steepest one of the others, where that
// leads beyond the clamp that the channel lies at, or a level one.
Line line_of_flat(const ChannelFit& flat, const std::vector<ChannelFit>& fits) {
  const Line level{0, static_cast<double>(flat.function.first) + 0.5};
  const ChannelFit* const steepest = steepest_of(fits);
  if (steepest == nullptr) return level;  // no number is made of it
  const auto [low, high] = outputs_of(fits);
  const auto at = [&](int64_t x) {
    return steepest->line.slope * static_cast<double>(x) + steepest->line.intercept;
  };
  const bool is_above = flat.function.first == high && at(flat.function.low) > high + 1.0,
             is_below = flat.function.first == low && at(flat.function.high) < low - 1.0;
  return is_above || is_below ? steepest->line : level;
}

constexpr double kFarthest = 1 << 30;  // biases are words

// With known weights, a bias a feature behind it, and no other reader.
bool is_of_channels(const Rewriter& r, const MonotoneChain& chain, InstructionId convolution,
                    const ReadOnce& once) {
  const Instruction& i = r[convolution];
  if (i.opcode != Opcode::kConvolution || constant_value(r, i.operands[1]) == nullptr) return false;
  const auto& a = i.get<hlo::ConvolutionAttributes>();
  return chain.mapping == Dimensions{a.output_feature} && once.contains(i.name) &&
         once.contains(r[chain.base].name);
}

InstructionId without_weights(Rewriter& r, InstructionId id, const std::vector<bool>& channels) {
  Instruction convolution = r[id];
  Literal weights = *constant_value(r, convolution.operands[1]);
  const hlo::Along features(weights.shape().dimensions,
                            convolution.get<hlo::ConvolutionAttributes>().kernel_output_feature);
  const auto width = static_cast<size_t>(hlo::storage_bytes(weights.type()));
  const std::span<std::byte> bytes = weights.mutable_bytes();
  for (size_t at = 0; at < bytes.size(); ++at)
    if (channels[static_cast<size_t>(features.place(static_cast<int64_t>(at / width)))])
      bytes[at] = std::byte{0};
  convolution.operands[1] = constant(r, std::move(weights));
  return r.add(std::move(convolution));
}

}  // namespace

bool ChannelFits::are_flat() const { return !fits.empty() && std::ranges::all_of(fits, is_flat); }

std::optional<ChannelFits> channel_fits(const Rewriter& r, MonotoneChain& chain,
                                        IntegerRanges& ranges, bool has_one_offset) {
  const std::optional<Bias> bias = far_bias(r, chain, ranges);
  if (bias) {
    chain.mapping = bias->sum.mapping;
    chain.sizes = bias->sum.sizes;
    chain.channels = product(chain.sizes);
  }
  std::vector<Range> all(static_cast<size_t>(chain.channels), chain.range);
  for (size_t at = 0; bias && at < all.size(); ++at)
    all[at] = {bias->sums.low + bias->sum.bias[at], bias->sums.high + bias->sum.bias[at]};
  std::optional<std::vector<StepFunction>> functions =
      step_functions(r, chain, all, kMaxEvaluations);
  if (!functions) return std::nullopt;
  ChannelFits out;
  for (size_t at = 0; at < all.size(); ++at) {
    out.fits.push_back({std::move((*functions)[at]), chain.line(at)});
    if (!bias) continue;
    const int64_t number = bias->sum.bias[at];
    // Where nothing rises, a bias that is as far from zero as the sums reach is as good, or none.
    const bool is_beyond = has_one_offset && is_flat(out.fits.back());
    const int64_t near = is_beyond ? (number < 0 ? -1 : 1) * kFar * bias->reach : 0;
    out.biases.push_back(bias->is_far(number) ? near : number);
    move(out.fits.back(), out.biases.back() - number);
  }
  if (bias) out.unbiased = bias->sum.unbiased;
  for (size_t at = 0; at < out.biases.size(); ++at)
    if (out.biases[at] != bias->sum.bias[at] && is_flat(out.fits[at]))
      out.fits[at].line = line_of_flat(out.fits[at], out.fits);
  return out;
}

ReadOnce read_once(const Computation& c) {
  ReadOnce names;
  const auto users = c.users();
  for (size_t id = 0; id < users.size(); ++id) {
    const Instruction& i = c.instructions[id];
    const bool is_sum = i.opcode == Opcode::kConvolution || i.opcode == Opcode::kAdd;
    if (is_sum && users[id].size() == 1 && static_cast<InstructionId>(id) != c.root)
      names.insert(i.name);
  }
  return names;
}

std::optional<ChannelFits> without_flat(const Rewriter& r, const MonotoneChain& chain,
                                        ChannelFits channels, const ReadOnce& once) {
  const ChannelFit* const rising = steepest_of(channels.fits);
  if (rising == nullptr || !(rising->line.slope > 0) ||
      std::ranges::none_of(channels.fits, is_flat))
    return std::nullopt;
  const Line steepest = rising->line;
  const auto sum = biased_sum(r, chain.base, chain.mapping, chain.sizes);
  if (!sum || !is_of_channels(r, chain, sum->unbiased, once) ||
      std::ssize(sum->bias) != chain.channels)
    return std::nullopt;
  channels.unbiased = sum->unbiased;
  if (channels.biases.empty()) channels.biases = sum->bias;
  for (size_t at = 0; at < channels.fits.size(); ++at) {
    channels.without_weights.push_back(is_flat(channels.fits[at]));
    if (!channels.without_weights.back()) continue;
    // Where the line comes to that number.
    const int64_t number = channels.fits[at].function.first;
    const double place = (static_cast<double>(number) + 0.5 - steepest.intercept) / steepest.slope;
    if (std::abs(place) > kFarthest) return std::nullopt;
    const int64_t bias = std::llround(place);
    channels.biases[at] = bias;
    channels.fits[at] = {{bias, bias, number, number, {}}, steepest};
  }
  return channels;
}

InstructionId sums_of(Rewriter& r, const MonotoneChain& chain, const ChannelFits& channels) {
  if (channels.unbiased == kNone) return chain.base;
  const InstructionId unbiased =
      channels.without_weights.empty()
          ? channels.unbiased
          : without_weights(r, channels.unbiased, channels.without_weights);
  const InstructionId bias =
      broadcast_constant(r, integers(PrimitiveType::kS32, chain.sizes, channels.biases),
                         Dimensions(r.shape(chain.base).dimensions), chain.mapping);
  return binary(r, Opcode::kAdd, unbiased, bias);
}

}  // namespace hlocc::transforms
