// See select.h.
#include "driver/matrix/select.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "driver/cache/action.h"
#include "driver/verify/child.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

double bytes_of_model(const MatrixCell& cell) {
  std::error_code failure;
  const auto bytes = fs::file_size(cell.line.models[0], failure);
  return failure ? 0 : static_cast<double>(bytes);
}

// What any cell costs, in bytes of a model: starting, planning, writing.
constexpr double kConstantBytes = 50e3;

// A guess that is too low makes the slowest shard slower; one that is too high costs little.
constexpr double kMargin = 1.3;

double guess(const MatrixCell& cell) { return bytes_of_model(cell) + kConstantBytes; }

// Seconds a guessed byte, of all cells whose time is known and of those of each target.
class Pace {
 public:
  Pace(const std::vector<MatrixCell>& cells, const std::map<std::string, double>& known) {
    for (const MatrixCell& cell : cells) {
      const auto time = known.find(cell.id());
      if (time == known.end()) continue;
      for (Sum* sum : {&all_, &by_target_[cell.target]}) {
        sum->seconds += time->second;
        sum->guessed += guess(cell);
      }
    }
  }
  double of(const MatrixCell& cell) const {
    const auto own = by_target_.find(cell.target);
    const Sum& sum = own == by_target_.end() ? all_ : own->second;
    return sum.guessed > 0 ? kMargin * guess(cell) * sum.seconds / sum.guessed : guess(cell);
  }

 private:
  struct Sum {
    double seconds = 0, guessed = 0;
  };
  Sum all_;
  std::map<std::string, Sum> by_target_;
};

std::vector<double> costs_of(const std::vector<MatrixCell>& cells,
                             const std::vector<CellResult>& times) {
  std::map<std::string, double> known;
  for (const CellResult& time : times)
    if (time.status == CellStatus::kCompiled) known[time.id] = time.cpu_seconds;
  const Pace pace(cells, known);
  std::vector<double> out;
  for (const MatrixCell& cell : cells) {
    const auto time = known.find(cell.id());
    out.push_back(time == known.end() ? pace.of(cell) : time->second);
  }
  return out;
}

Result<std::string> git(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-C", folder});
  const ChildOutcome ran = run_program(words);
  if (ran.environment)
    return error(DiagnosticKind::kMissingTool, cat("--changed-since: ", ran.failure))
        .note("git tells what changed");
  if (!ran.finished)
    return error(DiagnosticKind::kUsage,
                 cat("--changed-since: git says: ", ran.output.substr(0, ran.output.find('\n'))));
  return ran.output;
}

std::string real_path(const std::string& path) {
  std::error_code failure;
  return fs::weakly_canonical(path, failure).string();
}

}  // namespace

std::vector<int> shards_of(const std::vector<MatrixCell>& cells,
                           const std::vector<CellResult>& times, int shards) {
  const std::vector<double> costs = costs_of(cells, times);
  std::vector<size_t> order(cells.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return costs[a] > costs[b]; });
  std::vector<double> load(static_cast<size_t>(shards), 0);
  std::vector<int> out(cells.size());
  for (const size_t cell : order) {
    const auto least = std::ranges::min_element(load);
    *least += costs[cell];
    out[cell] = static_cast<int>(least - load.begin());
  }
  return out;
}

Result<std::vector<bool>> changed_since(const MatrixSpec& spec, const std::string& revision) {
  const fs::path file(spec.files[0]);
  const std::string folder = file.parent_path().empty() ? "." : file.parent_path().string();
  HLOCC_TRY_ASSIGN(const std::string top, git(folder, {"rev-parse", "--show-toplevel"}));
  const std::string root = top.substr(0, top.find('\n'));
  if (revision.starts_with('-'))
    return error(DiagnosticKind::kUsage, cat("--changed-since ", revision, ": no revision"));
  std::set<std::string> changed;
  // What is committed or not, and what git does not know yet.
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"diff", "--name-only", "-z", revision, "--"},
        std::vector<std::string>{"ls-files", "--others", "--exclude-standard", "-z"}}) {
    HLOCC_TRY_ASSIGN(const std::string listed, git(root, words));
    for (const std::string& path : split(listed, '\0'))
      if (!path.empty()) changed.insert(real_path(cat(root, "/", path)));
  }
  const bool is_all = std::ranges::any_of(
      spec.files, [&](const std::string& one) { return changed.contains(real_path(one)); });
  std::vector<bool> out;
  for (const MatrixCell& cell : spec.cells) {
    std::vector<std::string> inputs = files_beside_model(cell.line);
    inputs.push_back(cell.line.models[0]);
    inputs.insert(inputs.end(), cell.snapshots.begin(), cell.snapshots.end());
    out.push_back(is_all || std::ranges::any_of(inputs, [&](const std::string& path) {
                    return changed.contains(real_path(path));
                  }));
  }
  return out;
}

}  // namespace hlocc::driver
