// The step function of each channel of a chain, over the sums that this channel can have. One
// channel may be far from the others: a bias of 2^28, a multiplier of 0, a shift of 31. It has few
// steps or none; what is free then is chosen so that all channels together are served as if it were
// not there.
#pragma once
#include <string>
#include <unordered_set>

#include "transforms/integers/monotone_chain.h"

namespace hlocc::transforms {

struct ChannelFits {
  std::vector<ChannelFit> fits;
  // Where a bias is large: what stands in front of the biases, and others in their place, from
  // which the thresholds count. kNone: the sums are the chain's.
  InstructionId unbiased = kNone;
  std::vector<int64_t> biases;
  // Channels whose weights are taken from `unbiased`, a convolution; none: no channels'.
  std::vector<bool> without_weights;

  // Every channel is one number.
  bool are_flat() const;
};

// None if a sum overflows on the way, or if there are too many steps. A chain that has one channel
// and a bias a channel comes to have its channels. `has_one_offset`: what equals the functions is
// best with one offset for all, which reaches a clamp by large sums alone.
std::optional<ChannelFits> channel_fits(const Rewriter& r, MonotoneChain& chain,
                                        IntegerRanges& ranges, bool has_one_offset);

// Names of the convolutions and additions that one instruction reads, once.
using ReadOnce = std::unordered_set<std::string>;
ReadOnce read_once(const Computation& c);

// Without the weights of the channels that are one number whatever their sums are (a multiplier of
// 0, a shift of 31): then their sums are their bias, which is chosen where another channel's line
// comes to that number. So the form that the other channels take serves the layer, where no line of
// so little slope would. None where all channels are so or none, or where their sums are not those
// of a convolution by known weights that nothing else reads, with a bias a channel.
std::optional<ChannelFits> without_flat(const Rewriter& r, const MonotoneChain& chain,
                                        ChannelFits channels, const ReadOnce& once);

// What stands in front of the biases, or the chain.
InstructionId sums_of(Rewriter& r, const MonotoneChain& chain, const ChannelFits& channels);

}  // namespace hlocc::transforms
