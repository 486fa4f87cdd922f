// What the files of a matrix say, before it becomes cells: the file and those that it extends, one
// over the other.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "driver/cli/config.h"
#include "driver/matrix/spec.h"

namespace hlocc::driver {

// Flags of `compile` by their key, each with its values and where these stand; none: the flag is
// taken back.
using MatrixFlagValues = std::map<std::string, std::vector<ConfigValue>>;
// What `over` says counts.
void lay_over(MatrixFlagValues& under, const MatrixFlagValues& over);

struct MatrixModel {
  std::string name, path;
  MatrixFlagValues flags;
  std::optional<std::vector<std::string>> snapshots;  // none: as the matrix says
  Location where;
};
struct MatrixTarget {
  std::string name;
  MatrixFlagValues flags;
  Location where;
};
struct MatrixAxis {
  struct Value {
    std::string text;                // "s", "true"
    std::vector<ConfigValue> flags;  // none: the flag is left away
  };
  std::string key;
  std::vector<Value> values;
};
// An entry of "include" or "exclude": which cells it is about, by model, target and axis, as
// patterns; the flags that an inclusion adds.
struct MatrixRule {
  std::map<std::string, std::string> match;
  MatrixFlagValues flags;
  std::optional<bool> verify;
  Location where;
};

struct MatrixDraft {
  std::string output;
  std::vector<MatrixModel> models;
  std::vector<MatrixTarget> targets;
  std::vector<MatrixAxis> axes;
  MatrixFlagValues options;
  std::vector<MatrixRule> include, exclude;
  bool verify = false;
  MatrixGates gates;
  std::vector<std::string> files;
};

// Errors: as read_matrix().
Result<MatrixDraft> read_draft(const std::string& path);

}  // namespace hlocc::driver
