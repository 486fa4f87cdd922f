// See fixed_ties.cpp.
#pragma once
#include "transforms/integers/fixed_point.h"

namespace hlocc::transforms {

// Factors of few bits, offsets and one shift with which x * factor + offset, rounded with its ties
// to even or to odd and clamped, equals the step function of each channel at every x of their
// range. None if the lines have no such slopes, or if something overflows.
std::optional<Requantization> fit_ties(const std::vector<ChannelFit>& channels);

}  // namespace hlocc::transforms
