// See merge.h.
#include "driver/matrix/merge.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace hlocc::driver {

namespace {

bool has_shard(const std::vector<MatrixReport>& reports, int shard) {
  return std::ranges::any_of(reports, [&](const auto& report) { return report.shard == shard; });
}

}  // namespace

MatrixReport merged(const std::vector<MatrixReport>& reports) {
  MatrixReport out;
  std::map<std::string, size_t> known;  // where the cell of this id stands in `out`
  for (const MatrixReport& report : reports) {
    out.broken_gates.insert(out.broken_gates.end(), report.broken_gates.begin(),
                            report.broken_gates.end());
    for (const CellResult& cell : report.cells) {
      const auto [at, is_new] = known.emplace(cell.id, out.cells.size());
      if (is_new)
        out.cells.push_back(cell);
      else if (cell.status != CellStatus::kLeftOut)
        out.cells[at->second] = cell;
    }
  }
  for (CellResult& cell : out.cells)
    if (cell.shard && !has_shard(reports, *cell.shard)) {
      cell.status = CellStatus::kFailed;
      cell.failure = error(DiagnosticKind::kArgument, cat("no report of shard ", *cell.shard));
    }
  return out;
}

}  // namespace hlocc::driver
