// See runner.h. One case at a time: boards have room for one.
#include "driver/verify/runner.h"

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/verify/selftest_source.h"
#include "driver/verify/work_folder.h"
#include "import/file.h"
#include "package/stream_option.h"
#include "package/writer.h"
#include "support/text.h"
#include "transforms/stream/stream_loop.h"

namespace hlocc::driver {
namespace {

constexpr const char* kSelftestHeader = "hlocc_selftest.h";

// What the runner is given for a case.
struct ReadyCase {
  std::string given;  // the last word of its command line
  std::string title;
  int checks = 0;
};

Status link_selftest(const Board& board, const std::string& folder, const Compilation& made,
                     const Target& target, const std::string& program) {
  const std::string stem = made.signature.stem;
  const ChildOutcome linked = link_firmware(
      board, program,
      {folder + "/selftest.c", "-DHLOCC_VERIFY_BOARD", "-I" + folder,
       target.backend == "c" ? cat(folder, "/", stem, ".c") : cat(folder, "/lib", stem, ".a")});
  if (linked.finished) return {};
  if (linked.environment) return environment_of(linked);
  return error(DiagnosticKind::kRun, cat("does not link for the board ", board.name, ": ",
                                         printable_end(linked.output, 300)));
}

// The folder has library, header and manifest, selftest.c and the header that it includes.
Result<ReadyCase> prepare_case(const Case& one, Target target, const Runner& runner,
                               const Board* board, const std::string& folder) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  target.options.name = "model";
  hlo::Module module = imported->module;
  if (runner.every > 0) transforms::space_windows(module, runner.every);
  if (!runner.stream.empty()) {
    HLOCC_TRY_ASSIGN(target.options.stream,
                     package::find_stream(imported->module, target.options, runner.stream));
  }
  HLOCC_TRY_ASSIGN(const Compilation made,
                   compile_module(module, target, default_files(target), {}));
  HLOCC_TRY_ASSIGN(const SelftestSource source,
                   write_selftest(one, *imported, made.signature, target));
  const std::string header = toolchains_folder() + "/../runtime_stub/" + kSelftestHeader;
  HLOCC_TRY_ASSIGN(std::vector<std::byte> stub, import::read_file(header));
  std::vector<package::Placed> files = {{folder, {"selftest.c", bytes_of(source.text)}},
                                        {folder, {kSelftestHeader, std::move(stub)}}};
  for (const package::File& file : made.files) files.push_back({folder, file});
  HLOCC_TRY(package::write_files(files));
  ReadyCase out{folder, source.title, source.checks};
  if (board == nullptr) return out;
  out.given = folder + "/selftest.elf";
  HLOCC_TRY(link_selftest(*board, folder, made, target, out.given));
  return out;
}

CaseOutcome run_case(const ReadyCase& ready, const Target& target, const Runner& runner) {
  const ChildOutcome ran =
      run_program({"/bin/sh", "-c", runner.command + " \"$1\"", "runner", ready.given},
                  {"HLOCC_TARGET=" + target.name, "HLOCC_TEST=" + ready.title}, runner.seconds);
  return outcome_of_run(ran, ready.title, ready.checks);
}

}  // namespace

CaseOutcome outcome_of_run(const ChildOutcome& ran, const std::string& title, int checks) {
  if (ran.environment) return CaseOutcome::of(environment_of(ran));
  // What failed on the board says more than the exit code that follows from it.
  const std::string wrong = read_selftest(ran.output, title, checks);
  if (ran.finished && wrong.empty()) return {};
  if (ran.finished || wrong.starts_with("on the board: ")) return CaseOutcome::failed(wrong);
  return CaseOutcome::failed(cat("the runner failed: ", ran.failure,
                                 wrong.empty() ? " after the test had passed" : "; ", wrong));
}

Result<std::vector<CaseOutcome>> verify_with_runner(const std::vector<Case>& cases,
                                                    const Target& target, const Runner& runner,
                                                    const BeginCase& begin) {
  Board board;
  if (runner.links) {
    HLOCC_TRY_ASSIGN(board, find_board(target));
    if (!board.unavailable.empty())
      return std::vector<CaseOutcome>(cases.size(), CaseOutcome::no_tool(board.unavailable));
  }
  std::vector<CaseOutcome> outcomes;
  for (const Case& one : cases) {
    if (begin) begin(outcomes.size());
    HLOCC_TRY_ASSIGN(const WorkFolder folder, WorkFolder::make());
    Result<ReadyCase> ready =
        prepare_case(one, target, runner, runner.links ? &board : nullptr, folder.path());
    outcomes.push_back(ready.ok() ? run_case(*ready, target, runner)
                                  : CaseOutcome::of(ready.error()));
  }
  return outcomes;
}

}  // namespace hlocc::driver
