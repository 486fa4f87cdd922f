// The grid: every op on every element type that it takes, at edge values, many at a time.
#pragma once
#include <string>

#include "fuzz/differential.h"

namespace hlocc::fuzz {

struct GridCell {
  std::string name;
  Program program;
  Tolerance tolerance;
  // What each result is, for messages: "tanh f32".
  std::vector<std::string> results;
};

// Calls `visit` with one cell after the other; only those whose name contains `filter`.
void each_cell(const std::string& filter, const std::function<void(const GridCell&)>& visit);

}  // namespace hlocc::fuzz
