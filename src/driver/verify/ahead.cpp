// See ahead.h. A case is compiled in a child process, so that it may crash; what becomes of those
// that are compiled is batch.h's.
#include "driver/verify/ahead.h"

#include <filesystem>
#include <optional>

#include "driver/verify/ahead_case.h"
#include "driver/verify/batch.h"
#include "driver/verify/here.h"
#include "driver/verify/main.h"
#include "driver/verify/stream_case.h"
#include "driver/verify/work_folder.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// The board's compiler makes code of it, in the same call as of everything else.
bool is_source(const Target& target) { return target.backend == "c"; }

class Verifier {
 public:
  Verifier(const std::vector<Case>& cases, const Target& target, const Board& board,
           const AheadOptions& options, WorkFolder folder)
      : cases_(cases),
        target_(target),
        board_(board),
        options_(options),
        folder_(std::move(folder)),
        outcomes_(cases.size()),
        compile_seconds_(cases.size()) {}

  std::vector<CaseOutcome> run(const BeginCase& begin) {
    CaseBatch batch(board_);
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (begin) begin(i);
      std::optional<CompiledCase> compiled = compile(static_cast<int>(i));
      if (!compiled) continue;
      if (!batch.has_room_for(*compiled)) {
        run(batch.cases());
        batch.clear();
      }
      batch.add(std::move(*compiled));
    }
    run(batch.cases());
    return std::move(outcomes_);
  }

 private:
  std::optional<CompiledCase> compile(int i) {
    BatchCase facts;
    facts.number = i;
    const ChildOutcome child = compute_in_child(
        [&] {
          const Result<std::string> made =
              compile_case(cases_[i], facts, target_, options_, folder_.path());
          return made.ok() ? to_text({Verdict::kPassed, *made, 0})
                           : to_text(CaseOutcome::of(made.error()));
        },
        kCaseSeconds);
    CaseOutcome outcome = outcome_of(child);
    if (outcome.verdict == Verdict::kPassed) {
      CompiledCase compiled = read_facts(i, outcome.why);
      compile_seconds_[i] = outcome.cpu_seconds;
      const std::string lack = lack_of_room(compiled, board_, options_.guard);
      if (lack.empty()) return compiled;
      outcome = CaseOutcome::skipped(lack);
    }
    outcomes_[i] = std::move(outcome);
    return std::nullopt;
  }

  void run(std::span<const CompiledCase> batch) {
    const std::string program = folder_.path() + "/program.elf";
    const BatchTools tools = {
        [&](std::span<const CompiledCase> part) { return link(part, program); },
        [&](size_t first) { return run_board(board_, program, {cat(first)}, kBoardSeconds); },
        [&](const BatchCase& facts) { return has_results(facts); },
        [&](const BatchCase& facts) { return compare(facts); }};
    run_case_batch(batch, tools, options_.guard, outcomes_);
  }

  Result<ChildOutcome> link(std::span<const CompiledCase> batch, const std::string& program) {
    std::vector<BatchCase> facts;
    std::vector<std::string> inputs = {folder_.path() + "/main.c", "-I" + folder_.path()};
    const auto add_library = [&](const std::string& name) {
      inputs.push_back(is_source(target_) ? cat(folder_.path(), "/", name, ".c")
                                          : cat(folder_.path(), "/lib", name, ".a"));
    };
    for (const CompiledCase& one : batch) {
      facts.push_back(one.facts);
      add_library(one.facts.name());
      if (one.facts.stream) add_library(plain_name(one.facts));
    }
    HLOCC_TRY(package::write_file(
        inputs[0], bytes_of(write_batch_main(facts, folder_.path(), options_.guard))));
    return link_firmware(board_, program, inputs);
  }

  bool has_results(const BatchCase& facts) const {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(output_file(folder_.path(), facts), none);
    return bytes == static_cast<uintmax_t>(output_bytes(facts, options_.guard));
  }

  CaseOutcome compare(const BatchCase& facts) const {
    const Case& one = cases_[facts.number];
    CaseOutcome out = outcome_of(compute_in_child(
        [&] {
          const Result<CaseOutcome> compared =
              compare_case(one, facts, target_, folder_.path(), options_.guard);
          return to_text(compared.ok() ? *compared : CaseOutcome::of(compared.error()));
        },
        kCaseSeconds));
    out.cpu_seconds += compile_seconds_[facts.number];
    return out;
  }

  const std::vector<Case>& cases_;
  const Target& target_;
  const Board& board_;
  const AheadOptions& options_;
  WorkFolder folder_;
  std::vector<CaseOutcome> outcomes_;
  std::vector<double> compile_seconds_;
};

}  // namespace

Result<std::vector<CaseOutcome>> verify_ahead(const std::vector<Case>& cases, const Target& target,
                                              const AheadOptions& options, const BeginCase& begin) {
  HLOCC_TRY_ASSIGN(const Board board, find_board(target));
  if (!board.unavailable.empty())
    return std::vector<CaseOutcome>(cases.size(), CaseOutcome::no_tool(board.unavailable));
  HLOCC_TRY_ASSIGN(WorkFolder folder, WorkFolder::make());
  return Verifier(cases, target, board, options, std::move(folder)).run(begin);
}

}  // namespace hlocc::driver
