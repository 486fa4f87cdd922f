// Channels that hold one known number at every place: those whose weights are all zero, which
// pruning and training leave by the dozen, and what elementwise operations, pads and depthwise
// convolutions make of them.
#pragma once
#include <optional>
#include <vector>

#include "hlo/module.h"

namespace hlocc::transforms {

// Of an array, along one of its dimensions.
struct ChannelValues {
  int64_t dimension = 0;
  std::vector<bool> known;
  hlo::Literal values;  // one dimension; any number where it is not known
  // Channels whose number hangs on the place alone, as behind windows that reach over a border
  // beside which another number stands, and what it may be: of `values` the rest. Where clamps make
  // all of them one, the channel is known again.
  std::vector<bool> placed;
  std::vector<hlo::Literal> elsewhere;
  // Of a pad, after which `elsewhere` is one, what stands beside the image; else empty.
  std::vector<hlo::PaddingDimension> padding;
};

// Of a convolution: of integers by known weights, every channel by itself or all by all.
bool has_known_weights(const hlo::Computation& c, const hlo::Instruction& i);
bool is_depthwise(const hlo::Computation& c, const hlo::Instruction& convolution);
// Zeros stand beside the image, or between its elements.
bool reads_zeros(const hlo::Instruction& convolution);

// Sums over the channels of the input that are known (and `taken`), for each output feature: what
// they add to it where nothing but them is seen.
std::vector<int64_t> sums_of_known(const hlo::Computation& c, const hlo::Instruction& convolution,
                                   const ChannelValues& input, const std::vector<bool>& taken);

// By instruction; none where it has no channels that a convolution of known weights made. Operands
// stand before their users.
std::vector<std::optional<ChannelValues>> channel_values(const hlo::Module& module,
                                                         const hlo::Computation& c);

}  // namespace hlocc::transforms
