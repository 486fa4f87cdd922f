// Channels of a layer that are one number whatever their sums are (a multiplier of 0, a shift of
// 31): without their weights their sums are their bias, which is chosen where another channel's
// line comes to that number. So the form that the other channels take serves the layer, where no
// line of so little slope would.
#pragma once
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "transforms/integers/channel_fits.h"

namespace hlocc::transforms {

struct FlatChannels {
  ChannelFits fits;  // of all channels; its `unbiased` is what the weights are taken from
  std::vector<bool> flat;
};

// Names of the convolutions and additions that one instruction reads, once.
using ReadOnce = std::unordered_set<std::string>;
ReadOnce read_once(const Computation& c);

// None where all channels are flat or none, or where their sums are not those of a convolution by
// known weights that nothing else reads, with a bias a channel.
std::optional<FlatChannels> flat_channels(const Rewriter& r, const MonotoneChain& chain,
                                          const ChannelFits& channels, const ReadOnce& once);

// Of the convolution without the weights of those channels.
ChannelFits without_weights(Rewriter& r, FlatChannels channels);

}  // namespace hlocc::transforms
