// What moved between two runs of a matrix: `--baseline FILE` with the gates of the matrix' file,
// and `matrix diff A B`.
#pragma once
#include <string>
#include <vector>

#include "driver/matrix/cell_result.h"
#include "driver/matrix/spec.h"

namespace hlocc::driver {

// Figures that both runs know, and that differ.
struct Movement {
  std::string id, figure;  // "RAM", "flash", "stack", "cycles"
  double before = 0, after = 0;
  double percent() const { return before > 0 ? 100 * (after - before) / before : 0; }
};
std::vector<Movement> movements(const std::vector<CellResult>& before,
                                const std::vector<CellResult>& after);

// A sentence for each figure that grew beyond its gate, and for each cell whose results have other
// bits than before.
std::vector<std::string> broken_gates(const std::vector<CellResult>& before,
                                      const std::vector<CellResult>& after,
                                      const MatrixGates& gates);

// What moved, cell by cell, with the layers behind it; cells of one run alone. `width`: of the
// terminal, 0: any.
std::string difference_text(const std::vector<CellResult>& before,
                            const std::vector<CellResult>& after, size_t width);
nlohmann::ordered_json difference_json(const std::vector<CellResult>& before,
                                       const std::vector<CellResult>& after);

}  // namespace hlocc::driver
