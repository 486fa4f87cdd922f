// An Analysis as people and programs read it: tables, JSON, and the three lines that end `compile`.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/analyze/analysis.h"

namespace hlocc::driver {

// Layers, totals, the peak and the cures of each target; of several first what they come to side by
// side. `clock`: cycles a second, for a time beside the cycles.
std::string to_text(const std::vector<Analysis>& targets, std::optional<double> clock,
                    size_t width = 0);
// The schema is docs/analyze.md's.
nlohmann::ordered_json to_json(const Analysis& found, std::optional<double> clock);
// RAM and stack, flash, cycles and the peak: three lines that begin with the target's name.
std::string summary(const Analysis& found);
// The same of a library of several models: what they share, then a line for each.
std::string summary(const Analysis& total, const std::vector<Analysis>& models);

}  // namespace hlocc::driver
