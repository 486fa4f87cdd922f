// See run.h. What the cache knows is written by this process. For the rest the model is read here
// if it has several cells, and each child has it already when it is forked off; a child writes its
// files, keeps them in the cache, and tells what they come to.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "backends/common/isolate.h"
#include "driver/cli/output.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/matrix/run.h"
#include "driver/pipeline/targets.h"
#include "driver/verify/child_pool.h"
#include "package/writer.h"
#include "support/budget.h"
#include "support/temporary_path.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Cells of one model that is read in one way.
struct ModelCells {
  std::vector<size_t> cells;
  double bytes = 0;  // of the model's file
};

// A cell that the cache does not know.
struct Miss {
  Target target;
  std::string key;  // empty: it is not kept
};

class CellCompiler {
 public:
  CellCompiler(const MatrixRun& run, const MatrixSpec& spec)
      : run_(run), spec_(spec), pool_(run.jobs), results_(spec.cells.size()) {}

  std::vector<CellResult> all(const std::vector<bool>& chosen,
                              const std::vector<std::string>& left_out) {
    for (size_t i = 0; i < spec_.cells.size(); ++i) {
      const MatrixCell& cell = spec_.cells[i];
      results_[i].id = cell.id();
      results_[i].model = cell.model;
      results_[i].target = cell.target;
      results_[i].why = left_out[i];
      if (!chosen[i]) continue;
      ++wanted_;
      if (!look_up(i)) misses_of(cell).cells.push_back(i);
    }
    for (const ModelCells* model : longest_first()) compile(*model);
    pool_.finish();
    for (const size_t i : died_) compile_isolated(i);
    pool_.finish();
    return std::move(results_);
  }

 private:
  const CommandLine& line_of(size_t i) const { return spec_.cells[i].line; }

  void fail(size_t i, Diagnostic why) {
    results_[i].status = CellStatus::kFailed;
    results_[i].failure = remove_stale(line_of(i), std::move(why));
    has_failed_ = true;
    ++done_;
  }

  // True if nothing is left to do: the files are written, or there is a failure.
  bool look_up(size_t i) {
    const CommandLine& line = line_of(i);
    Result<Target> target = resolve_target(line.targets[0], line);
    if (!target) return fail(i, std::move(target).error()), true;
    Miss miss{std::move(*target), ""};
    if (run_.cache.is_open() && why_not_kept(line, miss.target).empty()) {
      Result<std::string> key = run_.cache.key_of(line, miss.target);
      if (!key) return fail(i, std::move(key).error()), true;
      miss.key = std::move(*key);
      if (std::optional<CompiledTarget> known = run_.cache.find(miss.key)) {
        place(line, *known, results_[i]);
        results_[i].status = CellStatus::kKnown;
        if (results_[i].failure) return fail(i, *results_[i].failure), true;
        ++done_;
        return true;
      }
    }
    misses_.emplace(i, std::move(miss));
    return false;
  }

  // Writes the files, and notes what is known of them.
  static void place(const CommandLine& line, CompiledTarget& made, CellResult& into) {
    std::vector<package::Placed> files;
    for (package::File& file : made.files) files.push_back({line.output, std::move(file)});
    if (Status status = package::write_files(files); !status)
      into.failure = std::move(status).error();
    into.status = CellStatus::kCompiled;
    into.sizes = std::move(made.sizes);
    into.files = files_json(files);
    into.said = std::move(made.said);
    for (const auto& layer : made.layers)
      into.layers.push_back({layer["layer"].get<std::string>(),
                             layer["expected_cycles"].get<double>(),
                             layer["flash_bytes"].get<int64_t>()});
  }

  // A model is read anew for other flags: some of them change what is read.
  ModelCells& misses_of(const MatrixCell& cell) {
    std::string key = cell.line.models[0];
    for (const auto& [flag, values] : cell.line.given)
      if (flag != "--target") key += cat("\n", flag, "\n", join(values, "\n"));
    ModelCells& out = models_[key];
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(cell.line.models[0], failure);
    out.bytes = failure ? 0 : static_cast<double>(bytes);
    return out;
  }

  // So that no long one is left for the end.
  std::vector<const ModelCells*> longest_first() const {
    std::vector<const ModelCells*> out;
    for (const auto& [key, model] : models_) out.push_back(&model);
    std::ranges::stable_sort(out, [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
    return out;
  }

  void compile(const ModelCells& model) {
    if (has_failed_ && run_.line.matrix.fail_fast) return leave_out(model);
    StageClock clock;
    CommandLine quiet = line_of(model.cells[0]);
    quiet.quiet = true;
    LazyModel read(quiet, clock);
    Budget budget(run_.line.limits, static_cast<int64_t>(model.cells.size()));
    if (model.cells.size() > 1) {
      const BudgetScope scope(&budget);
      if (Result<const ReadModel*> outcome = read.get(); !outcome) {
        for (const size_t i : model.cells) fail(i, outcome.error());
        return;
      }
    }
    for (const size_t i : model.cells) {
      const size_t running = ++begun_;
      run_.progress.now_at(cat("cell ", running, " of ", wanted_, ": ", results_[i].id),
                           {static_cast<double>(done_) / static_cast<double>(wanted_)});
      pool_.add([this, i, &read] { return be_cell(i, read, true); },
                [this, i](const ChildOutcome& child) {
                  if (child.finished || child.environment) return take(i, child);
                  died_.push_back(i);
                  has_failed_ = true;
                });
    }
  }

  void leave_out(const ModelCells& model) {
    for (const size_t i : model.cells) results_[i].why = "--fail-fast: another one failed before";
  }

  // What died is compiled once more, with code generation in a child of the child's: its diagnostic
  // names the kernel.
  void compile_isolated(size_t i) {
    pool_.add(
        [this, i] {
          StageClock clock;
          LazyModel read(line_of(i), clock);
          return be_cell(i, read, false);
        },
        [this, i](const ChildOutcome& child) { take(i, child); });
  }

  void take(size_t i, const ChildOutcome& child) {
    CellResult told = results_[i];
    read_child(child, told);
    results_[i] = std::move(told);
    ++done_;
    has_failed_ = has_failed_ || results_[i].status == CellStatus::kFailed;
  }

  // In the child. `here`: code is generated in it, too.
  std::string be_cell(size_t i, LazyModel& read, bool here) {
    CommandLine line = line_of(i);
    line.quiet = true;
    Budget budget(run_.line.limits);
    budget.end_process = [&](const Diagnostic& why) {
      remove_temporary_paths();
      std::_Exit(report(why, false));
    };
    const BudgetScope scope(&budget);
    std::optional<backends::IsolatedHere> isolated;
    if (here) isolated.emplace();
    CellResult out = results_[i];
    const Miss& miss = misses_.at(i);
    const auto compiled = [&]() -> Status {
      HLOCC_TRY_ASSIGN(const ReadModel* model, read.get());
      StageClock clock;
      HLOCC_TRY_ASSIGN(CompiledTarget made, compile_target(line, *model, miss.target, clock));
      if (!miss.key.empty()) run_.cache.keep(miss.key, made);
      place(line, made, out);
      return {};
    };
    if (Status status = compiled(); !status) out.failure = std::move(status).error();
    if (out.failure) {
      out.status = CellStatus::kFailed;
      out.failure = remove_stale(line, std::move(*out.failure));
    }
    return to_text(out);
  }

  const MatrixRun& run_;
  const MatrixSpec& spec_;
  ChildPool pool_;
  std::vector<CellResult> results_;
  std::map<size_t, Miss> misses_;
  std::map<std::string, ModelCells> models_;
  std::vector<size_t> died_;  // their children did
  size_t wanted_ = 0, begun_ = 0, done_ = 0;
  bool has_failed_ = false;
};

}  // namespace

std::vector<CellResult> compile_cells(const MatrixRun& run, const MatrixSpec& spec,
                                      const std::vector<bool>& chosen,
                                      const std::vector<std::string>& left_out) {
  return CellCompiler(run, spec).all(chosen, left_out);
}

}  // namespace hlocc::driver
