// See ahead.h. A case is compiled in a child process, so that it may crash; a batch that
// does not link is halved until the culprit stands alone; a program that dies is started again
// behind the case that killed it.
#include "driver/verify/ahead.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "driver/verify/ahead_case.h"
#include "driver/verify/guard.h"
#include "driver/verify/here.h"
#include "driver/verify/main.h"
#include "driver/verify/stream_case.h"
#include "driver/verify/work_folder.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr int kBoardSeconds = 200;
// What start-up code, the program itself and the linker's padding take of the flash.
constexpr int64_t kFlashReserve = 64 * 1024;

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
        guard_(options.guard),
        folder_(std::move(folder)),
        outcomes_(cases.size()),
        compile_seconds_(cases.size()) {}

  std::vector<CaseOutcome> run(const BeginCase& begin) {
    std::vector<CompiledCase> batch;
    int64_t flash = kFlashReserve;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (begin) begin(i);
      std::optional<CompiledCase> compiled = compile(static_cast<int>(i));
      if (!compiled) continue;
      const bool full =
          static_cast<int64_t>(batch.size()) >= board_.cases ||
          (board_.flash_bytes > 0 && flash + compiled->flash_bytes > board_.flash_bytes);
      if (full) {
        run_batch(batch);
        batch.clear();
        flash = kFlashReserve;
      }
      flash += compiled->flash_bytes;
      batch.push_back(std::move(*compiled));
    }
    run_batch(batch);
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
      if (fits(i, compiled)) return compiled;
    } else {
      outcomes_[i] = std::move(outcome);
    }
    return std::nullopt;
  }

  bool fits(int i, const CompiledCase& compiled) {
    if (board_.flash_bytes > 0 && kFlashReserve + compiled.flash_bytes > board_.flash_bytes)
      outcomes_[i] = CaseOutcome::skipped(cat(
          "needs ", compiled.flash_bytes, " bytes of flash, the board has ", board_.flash_bytes));
    else if (board_.bulk_bytes > 0 && ram_of(compiled) > board_.bulk_bytes)
      outcomes_[i] = CaseOutcome::skipped(
          cat("needs ", ram_of(compiled), " bytes of RAM, the board has ", board_.bulk_bytes));
    else
      return true;
    return false;
  }

  int64_t ram_of(const CompiledCase& compiled) const {
    return compiled.ram_bytes + (guard_ ? guard_room(compiled.facts) : 0);
  }

  void run_batch(std::span<const CompiledCase> batch) {
    if (batch.empty()) return;
    const std::string program = folder_.path() + "/program.elf";
    const Result<ChildOutcome> linked = link(batch, program);
    if (!linked.ok()) return give_up(batch, linked.error());
    if (linked->finished) return run_program_on_board(batch, program);
    if (batch.size() == 1) {
      outcomes_[batch[0].facts.number] =
          CaseOutcome::failed("does not link: " + last_lines(linked->output));
      return;
    }
    run_batch(batch.first(batch.size() / 2));
    run_batch(batch.subspan(batch.size() / 2));
  }

  // All of them fail for what is no fault of theirs.
  void give_up(std::span<const CompiledCase> batch, const Diagnostic& why) {
    for (const CompiledCase& one : batch) outcomes_[one.facts.number] = CaseOutcome::of(why);
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
    HLOCC_TRY(
        package::write_file(inputs[0], bytes_of(write_batch_main(facts, folder_.path(), guard_))));
    ChildOutcome linked = link_firmware(board_, program, inputs);
    if (linked.environment) return environment_of(linked);
    return linked;
  }

  void run_program_on_board(std::span<const CompiledCase> batch, const std::string& program) {
    for (size_t first = 0; first < batch.size();) {
      const ChildOutcome ran = driver::run_board(board_, program, {cat(first)}, kBoardSeconds);
      if (ran.environment) return give_up(batch.subspan(first), environment_of(ran));
      while (first < batch.size() && is_complete(batch[first].facts)) compare(batch[first++].facts);
      if (first == batch.size()) break;
      outcomes_[batch[first].facts.number] =
          CaseOutcome::failed(how_it_died(ran, batch[first].facts));
      ++first;
    }
  }

  bool is_complete(const BatchCase& facts) const {
    int64_t bytes = 1;
    for (int64_t size : facts.result_bytes) bytes += size;
    if (guard_) bytes = guard_file_bytes(facts);
    if (facts.stream) bytes = stream_file_bytes(facts);
    struct stat found;
    return ::stat(output_file(folder_.path(), facts).c_str(), &found) == 0 &&
           found.st_size == bytes;
  }

  void compare(const BatchCase& facts) {
    const Case& one = cases_[facts.number];
    outcomes_[facts.number] = outcome_of(compute_in_child(
        [&] {
          const Result<CaseOutcome> compared =
              compare_case(one, facts, target_, folder_.path(), guard_);
          return to_text(compared.ok() ? *compared : CaseOutcome::of(compared.error()));
        },
        kCaseSeconds));
    outcomes_[facts.number].cpu_seconds += compile_seconds_[facts.number];
  }

  std::string how_it_died(const ChildOutcome& ran, const BatchCase& facts) const {
    if (const std::string guard = guard_death(ran.output, facts); guard_ && !guard.empty())
      return guard;
    if (ran.failure == "exit code 124")
      return cat("ran longer than ", kBoardSeconds, " s on the board");
    if (ran.failure.empty()) return "the program ended without results";
    return cat("the program died on the board: ", ran.failure, ran.output.empty() ? "" : ": ",
               last_lines(ran.output));
  }

  static std::string last_lines(const std::string& text) {
    std::string out = text.substr(text.size() > 300 ? text.size() - 300 : 0);
    while (out.ends_with('\n')) out.pop_back();
    std::replace(out.begin(), out.end(), '\n', ' ');
    return out;
  }

  const std::vector<Case>& cases_;
  const Target& target_;
  const Board& board_;
  const AheadOptions& options_;
  bool guard_;
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
