// What became of a cell: what the reports show, what a child tells its parent, and what --baseline
// and --times read of an earlier run.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/notes.h"
#include "support/diagnostic.h"
#include "support/result.h"

namespace hlocc::driver {

enum class CellStatus : uint8_t {
  kCompiled,
  kKnown,    // by the cache
  kFailed,   // `failure` says why
  kLeftOut,  // `why` says: another shard's, or nothing of it changed
};
const char* name_of(CellStatus status);

struct CellLayer {
  std::string name;
  double cycles = 0;
  int64_t flash_bytes = 0;
};

// What `verify` said of the cell's snapshots on its target.
struct CellVerdict {
  std::string status;  // passed, failed, skipped
  std::string why;
  std::string results_sha256;  // of all results' bytes, on the target; empty where none ran
};

struct CellResult {
  std::string id, model, target;
  CellStatus status = CellStatus::kLeftOut;
  std::string why;
  std::optional<int> shard;  // of --shard: the part that it belongs to
  std::optional<Diagnostic> failure;
  // "ram_bytes", "arena_bytes", ... as `compile --json` has them; empty of a cell without files.
  nlohmann::ordered_json sizes = nlohmann::ordered_json::object();
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  std::vector<CellLayer> layers;
  std::vector<Said> said;
  std::optional<CellVerdict> verdict;
  double cpu_seconds = 0;

  bool has_files() const { return status == CellStatus::kCompiled || status == CellStatus::kKnown; }
  // Failed, or its results are wrong.
  bool is_bad() const;
  // A figure of `sizes`; none where it is not known.
  std::optional<double> figure(const char* name) const;
};

struct MatrixReport {
  std::vector<CellResult> cells;
  std::vector<std::string> broken_gates = {};  // sentences
  std::optional<int> shard = {};               // of --shard: whose report it is

  size_t count(CellStatus status) const;
  // "46 compiled, 1 known, 1 failed, 0 left out; 40 passed, 0 failed, 6 skipped"
  std::string totals() const;
};

nlohmann::ordered_json to_json(const CellResult& cell);
// What `matrix --json` printed. Errors: kFormat.
Result<MatrixReport> read_report(const std::string& path);

// A child's words, and back; a child that did not end well is a failure.
struct ChildOutcome;
std::string to_text(const CellResult& cell);
void read_child(const ChildOutcome& child, CellResult& into);

}  // namespace hlocc::driver
