// See flat_channels.h.
#include "transforms/integers/flat_channels.h"

#include <algorithm>
#include <cmath>

#include "hlo/along.h"
#include "hlo/literal.h"
#include "transforms/integers/requantized.h"

namespace hlocc::transforms {
namespace {

constexpr double kFarthest = 1 << 30;  // biases are words

// With known weights, a bias a feature behind it, and no other reader.
bool is_of_channels(const Rewriter& r, const MonotoneChain& chain, InstructionId convolution,
                    const ReadOnce& once) {
  const Instruction& i = r[convolution];
  if (i.opcode != Opcode::kConvolution || r[i.operands[1]].opcode != Opcode::kConstant)
    return false;
  const auto& a = i.get<hlo::ConvolutionAttributes>();
  return chain.mapping == Dimensions{a.output_feature} &&
         r.shape(i.operands[1]).dimensions[a.kernel_output_feature] == chain.channels &&
         once.contains(i.name) && once.contains(r[chain.base].name);
}

}  // namespace

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

std::optional<FlatChannels> flat_channels(const Rewriter& r, const MonotoneChain& chain,
                                          const ChannelFits& channels, const ReadOnce& once) {
  FlatChannels out{channels, {}};
  Line steepest{.slope = 0};
  for (const ChannelFit& fit : channels.fits) {
    out.flat.push_back(fit.function.steps.empty());
    if (!out.flat.back() && fit.line.slope > steepest.slope) steepest = fit.line;
  }
  const auto count = static_cast<size_t>(std::ranges::count(out.flat, true));
  if (count == 0 || !(steepest.slope > 0)) return std::nullopt;
  const auto sum = biased_sum(r, chain.base, chain.mapping, chain.sizes);
  if (!sum || !is_of_channels(r, chain, sum->unbiased, once) ||
      std::ssize(sum->bias) != chain.channels)
    return std::nullopt;
  out.fits.unbiased = sum->unbiased;
  if (out.fits.biases.empty()) out.fits.biases = sum->bias;
  for (size_t at = 0; at < out.flat.size(); ++at) {
    if (!out.flat[at]) continue;
    // Where the line comes to that number.
    const int64_t number = out.fits.fits[at].function.first;
    const double place = (static_cast<double>(number) + 0.5 - steepest.intercept) / steepest.slope;
    if (std::abs(place) > kFarthest) return std::nullopt;
    const int64_t bias = std::llround(place);
    out.fits.biases[at] = bias;
    out.fits.fits[at] = {{bias, bias, number, number, {}}, steepest};
  }
  return out;
}

ChannelFits without_weights(Rewriter& r, FlatChannels channels) {
  Instruction convolution = r[channels.fits.unbiased];
  const InstructionId known = convolution.operands[1];
  const int64_t dimension = convolution.get<hlo::ConvolutionAttributes>().kernel_output_feature;
  Literal weights = r[known].get<hlo::ConstantAttributes>().value;
  const hlo::Along features(weights.shape().dimensions, dimension);
  const auto width = static_cast<size_t>(hlo::storage_bytes(weights.type()));
  const std::span<std::byte> bytes = weights.mutable_bytes();
  for (size_t at = 0; at < bytes.size(); ++at)
    if (channels.flat[static_cast<size_t>(features.place(static_cast<int64_t>(at / width)))])
      bytes[at] = std::byte{0};
  convolution.operands[1] = r.add(hlo::make_constant(std::move(weights)));
  channels.fits.unbiased = r.add(std::move(convolution));
  return std::move(channels.fits);
}

}  // namespace hlocc::transforms
