// The step function of each channel of a chain, over the sums that this channel can have. One
// channel may be far from the others: a bias of 2^28, a multiplier of 0, a shift of 31. It has few
// steps or none; what is free then is chosen so that all channels together are served as if it were
// not there.
#pragma once
#include "transforms/integers/monotone_chain.h"

namespace hlocc::transforms {

struct ChannelFits {
  std::vector<ChannelFit> fits;
  // Where a bias is large: what stands in front of the biases, and others in their place, from
  // which the thresholds count. kNone: the sums are the chain's.
  InstructionId unbiased = kNone;
  std::vector<int64_t> biases;

  // Every channel is one number.
  bool are_flat() const;
};

// None if a sum overflows on the way, or if there are too many steps. A chain that has one channel
// and a bias a channel comes to have its channels. `has_one_offset`: what equals the functions is
// best with one offset for all, which reaches a clamp by large sums alone.
std::optional<ChannelFits> channel_fits(const Rewriter& r, MonotoneChain& chain,
                                        IntegerRanges& ranges, bool has_one_offset);

}  // namespace hlocc::transforms
