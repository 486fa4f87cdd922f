// The file of `hlocc matrix`: models by targets by axes, with what is added and what is left out,
// as a list of cells. Each cell is one `hlocc compile`; docs/matrix.md describes the file.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/cli/command_line.h"
#include "support/result.h"

namespace hlocc::driver {

struct MatrixCell {
  std::string model, target;                              // as the file calls them
  std::vector<std::pair<std::string, std::string>> axes;  // "O", "s"
  // The command line of its `compile`: one model, one target, the folder for the files.
  CommandLine line;
  std::vector<std::string> snapshots;  // what `verify` runs for the target
  Location where;

  std::string id() const;  // kws/cortex-m4f/O=s
};

// How much a figure may grow over the baseline's, in percent; none: as it likes.
struct MatrixGates {
  std::optional<double> ram, flash, stack, cycles;
};

struct MatrixSpec {
  std::string output;
  std::vector<MatrixCell> cells;
  MatrixGates gates;
  std::vector<std::string> files;  // the file, and those that it extends
};

// Paths in a file count from its folder; -o of the command line, which overrules "output", from
// where the tool runs. Errors are located: what is no such file, keys and values that it may not
// have, files that extend each other in a circle, cells that would write the same files, targets
// and flags that `compile` refuses. No model is read.
Result<MatrixSpec> read_matrix(const std::string& path, const std::string& output);

}  // namespace hlocc::driver
