// An Analysis as one HTML page that needs no network: the arena over time as a picture, a table of
// layers that sorts, flash by section, and targets beside one another.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "driver/analyze/analysis.h"

namespace hlocc::driver {

// `clock`: cycles a second, for times beside the cycles. The bytes depend on the arguments alone.
std::string to_page(const std::vector<Analysis>& targets, std::optional<double> clock);

}  // namespace hlocc::driver
