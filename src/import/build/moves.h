// Instructions that move elements of known arrays: slices, joins, gathers. Each element of the
// result has one place that it comes from.
#pragma once
#include <optional>
#include <vector>

#include "hlo/module.h"

namespace hlocc::import {

// Nothing for ops that compute.
std::optional<hlo::Literal> moved(const hlo::Instruction& instruction,
                                  const std::vector<hlo::Literal>& operands);

// For each element of an array of `sizes`, row-major, its place in the array without these
// dimensions.
std::vector<int64_t> places_without(const hlo::Dimensions& sizes,
                                    const hlo::DimensionsAttributes& dimensions);

}  // namespace hlocc::import
