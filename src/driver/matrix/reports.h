// A run of a matrix as people and programs read it.
#pragma once
#include <string>
#include <vector>

#include "driver/matrix/cell_result.h"

namespace hlocc::driver {

// A line a cell, what failed and why below, totals. `width` of the terminal; 0: any.
std::string to_text(const MatrixReport& report, size_t width);
nlohmann::ordered_json to_json(const MatrixReport& report);
// JUnit's XML: a suite a target, a case a cell, and one more for its snapshots.
std::string to_junit(const MatrixReport& report);
// For a comment on a pull request: models by targets, RAM and flash; what failed below.
std::string to_markdown(const MatrixReport& report);
// A page: the same, with stack, cycles and verdicts.
std::string to_page(const MatrixReport& report);

// What a cell came to, in a few words: "compiled", "failed: error[budget]: ..."
std::string outcome_of(const CellResult& cell);

}  // namespace hlocc::driver
