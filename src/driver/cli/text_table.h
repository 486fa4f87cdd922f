// Tables for terminals: cells under a headline, columns as wide as their widest cell.
#pragma once
#include <string>
#include <vector>

namespace hlocc::driver {

using TextTable = std::vector<std::vector<std::string>>;  // lines of cells, the headline first

// The columns from `first_number` to `last_number` (counted from 0) are flush right. Every line has
// as many cells as the first.
std::string to_text(const TextTable& lines, size_t first_number, size_t last_number);

// "1.250 ms": so many cycles of a clock in Hz.
std::string milliseconds(double cycles, double clock);

}  // namespace hlocc::driver
