// `hlocc matrix FILE.json`: every cell of the file; `hlocc matrix diff A.json B.json`: what moved
// between two of its reports; `hlocc matrix merge REPORT...`: one of those of several shards.
#include <algorithm>

#include "driver/cli/output.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/matrix/gates.h"
#include "driver/matrix/merge.h"
#include "driver/matrix/reports.h"
#include "driver/matrix/run.h"
#include "driver/matrix/select.h"
#include "package/json_text.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// By cell, its shard; empty without --shard.
Result<std::vector<int>> cell_shards(const CommandLine& line, const MatrixSpec& spec) {
  MatrixReport times;
  if (!line.matrix.times.empty()) {
    HLOCC_TRY_ASSIGN(times, read_report(line.matrix.times));
  }
  if (line.shards == 1) return std::vector<int>();
  return shards_of(spec.cells, times.cells, line.shards);
}

// By cell, why this call leaves it out; empty: it does not.
Result<std::vector<std::string>> left_out(const CommandLine& line, const MatrixSpec& spec,
                                          const std::vector<int>& shards) {
  std::vector<std::string> out(spec.cells.size());
  for (size_t i = 0; i < shards.size(); ++i)
    if (shards[i] != line.shard) out[i] = cat("shard ", shards[i], " compiles it");
  if (line.matrix.since.empty()) return out;
  HLOCC_TRY_ASSIGN(const std::vector<bool> changed, changed_since(spec, line.matrix.since));
  for (size_t i = 0; i < out.size(); ++i)
    if (!changed[i]) out[i] = cat("nothing of it changed since ", line.matrix.since);
  return out;
}

// Without --cache what was compiled is kept beside the files: a second call goes on where the first
// one was ended.
Result<CacheOptions> cache_of(const CommandLine& line, const MatrixSpec& spec) {
  HLOCC_TRY_ASSIGN(CacheOptions out, cache_options(line));
  if (out.places.empty()) out.places.push_back(spec.output + "/.cache");
  return out;
}

Status write_reports(const CommandLine& line, const MatrixReport& report) {
  struct Row {
    const std::string& path;
    std::string (*text)(const MatrixReport&);
  };
  const auto json = [](const MatrixReport& all) {
    nlohmann::ordered_json out = {{"schema", kJsonSchema}};
    out.update(to_json(all));
    return package::json_text(out) + "\n";
  };
  for (const Row& row : {Row{line.matrix.report, json}, Row{line.matrix.junit, to_junit},
                         Row{line.matrix.markdown, to_markdown}, Row{line.html, to_page}})
    if (!row.path.empty()) HLOCC_TRY(write_file_or_output(row.path, bytes_of(row.text(report))));
  return {};
}

Status write_rule(const CommandLine& line, const MatrixSpec& spec, const MatrixReport& report) {
  if (line.depfile.empty()) return {};
  std::vector<std::string> outputs, inputs = spec.files;
  for (size_t i = 0; i < spec.cells.size(); ++i) {
    for (const auto& file : report.cells[i].files) outputs.push_back(file["path"]);
    const CommandLine& cell = spec.cells[i].line;
    inputs.push_back(cell.models[0]);
    for (std::string& path : files_beside_model(cell)) inputs.push_back(std::move(path));
  }
  std::ranges::sort(inputs);
  inputs.erase(std::ranges::unique(inputs).begin(), inputs.end());
  return package::write_file(line.depfile, bytes_of(package::make_depfile(outputs, inputs)));
}

// Our own faults first, then the input's and comparisons', then the environment's.
ExitCode exit_of(const MatrixReport& report) {
  bool is_input = !report.broken_gates.empty(), is_environment = false;
  for (const CellResult& cell : report.cells) {
    if (cell.verdict && cell.verdict->status == "failed") is_input = true;
    if (!cell.failure) continue;
    const ExitCode code = exit_code(cell.failure->kind);
    if (code == kExitBug) return kExitBug;
    (code == kExitEnvironment ? is_environment : is_input) = true;
  }
  return is_input ? kExitInput : is_environment ? kExitEnvironment : kExitDone;
}

Result<int> publish(const CommandLine& line, const MatrixReport& report) {
  HLOCC_TRY(write_reports(line, report));
  if (line.json)
    print_json(to_json(report));
  else if (!line.quiet)
    print_text(to_text(report, output_width()));
  return exit_of(report);
}

Result<int> show_difference(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const MatrixReport before, read_report(line.models[1]));
  HLOCC_TRY_ASSIGN(const MatrixReport after, read_report(line.models[2]));
  if (line.json)
    print_json(difference_json(before.cells, after.cells));
  else
    print_text(difference_text(before.cells, after.cells, output_width()));
  return kExitDone;
}

Result<int> run_matrix(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(MatrixSpec spec, read_matrix(line.models[0], line.output));
  for (MatrixCell& cell : spec.cells) cell.line.tool = line.tool;
  HLOCC_TRY_ASSIGN(const std::vector<int> shards, cell_shards(line, spec));
  HLOCC_TRY_ASSIGN(const std::vector<std::string> why_not, left_out(line, spec, shards));
  MatrixReport baseline;
  if (!line.matrix.baseline.empty()) {
    HLOCC_TRY_ASSIGN(baseline, read_report(line.matrix.baseline));
  }
  HLOCC_TRY_ASSIGN(CacheOptions options, cache_of(line, spec));
  CompileCache cache(std::move(options));
  Progress progress(line);
  const MatrixRun run{line, cache, progress, line.jobs};
  std::vector<bool> chosen;
  for (const std::string& why : why_not) chosen.push_back(why.empty());
  MatrixReport report{compile_cells(run, spec, chosen, why_not)};
  for (size_t i = 0; i < shards.size(); ++i) report.cells[i].shard = shards[i];
  if (!shards.empty()) report.shard = line.shard;
  cache.finish(line);
  verify_cells(run, spec, report.cells);
  progress.wipe();
  report.broken_gates = broken_gates(baseline.cells, report.cells, spec.gates);
  HLOCC_TRY(write_rule(line, spec, report));
  return publish(line, report);
}

// The reports of all shards as one.
Result<int> run_merge(const CommandLine& line) {
  std::vector<MatrixReport> reports;
  for (size_t i = 1; i < line.models.size(); ++i) {
    HLOCC_TRY_ASSIGN(MatrixReport one, read_report(line.models[i]));
    reports.push_back(std::move(one));
  }
  return publish(line, merged(reports));
}

}  // namespace

Result<int> verb_matrix(const CommandLine& line) {
  if (line.models[0] == "diff") {
    if (line.models.size() != 3)
      return error(DiagnosticKind::kUsage, "`hlocc matrix diff` takes two files")
          .note("hlocc matrix diff A.json B.json: what `hlocc matrix --report` wrote");
    return show_difference(line);
  }
  if (line.models[0] == "merge") {
    if (line.models.size() == 1)
      return error(DiagnosticKind::kUsage, "`hlocc matrix merge` takes the reports of all shards")
          .note("hlocc matrix merge reports/*.json --markdown comment.md");
    return run_merge(line);
  }
  if (line.models.size() != 1)
    return error(DiagnosticKind::kUsage,
                 cat("`hlocc matrix` takes one FILE, here are ", join(line.models, " and ")));
  return run_matrix(line);
}

}  // namespace hlocc::driver
