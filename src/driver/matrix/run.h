// Compiles the cells of a matrix in children, a model read once for all of its targets, and runs
// their snapshots.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "driver/cache/cache.h"
#include "driver/cli/progress.h"
#include "driver/matrix/cell_result.h"
#include "driver/matrix/spec.h"
#include "driver/verify/verdict.h"

namespace hlocc::driver {

struct MatrixRun {
  const CommandLine& line;  // of `matrix`
  CompileCache& cache;
  Progress& progress;
  int jobs = 0;  // as ChildPool takes them
};

// A result a cell, in order. `chosen`, by cell: whether it is compiled here; of the others the
// result says `left_out`.
std::vector<CellResult> compile_cells(const MatrixRun& run, const MatrixSpec& spec,
                                      const std::vector<bool>& chosen,
                                      const std::vector<std::string>& left_out);

// The snapshots of the cells that have files, a program for each target and set of options, as many
// boards at once as there are jobs; into the results' verdicts.
void verify_cells(const MatrixRun& run, const MatrixSpec& spec, std::vector<CellResult>& results);

// What is compiled alike has one key: one target, and flags that differ in names at most.
std::string batch_key(const MatrixCell& cell);
// Of several snapshots of one cell: failed if one failed, passed if one passed.
void add_verdict(std::optional<CellVerdict>& into, const CaseOutcome& outcome);

}  // namespace hlocc::driver
