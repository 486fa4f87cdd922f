// See ahead.h. A case is compiled in a child process, so that it may crash; a batch that
// does not link is halved until the culprit stands alone; a program that dies is started again
// behind the case that killed it.
#include "driver/verify/ahead.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "devices/memory_image.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/verify/guard.h"
#include "driver/verify/here.h"
#include "driver/verify/main.h"
#include "driver/verify/work_folder.h"
#include "import/file.h"
#include "package/names.h"
#include "package/writer.h"
#include "support/number.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr int kBoardSeconds = 200;
// What start-up code, the program itself and the linker's padding take of the flash.
constexpr int64_t kFlashReserve = 64 * 1024;

// The board's compiler makes code of it, in the same call as of everything else.
bool is_source(const Target& target) { return target.backend == "c"; }

struct Compiled {
  BatchCase facts;
  int64_t flash_bytes = 0, ram_bytes = 0;
};

// --- in the child: compile one case, and write down its files and its input ---

std::vector<int64_t> sizes_of(const std::vector<kernel::Leaf>& leaves) {
  std::vector<int64_t> out;
  for (const kernel::Leaf& leaf : leaves) out.push_back(leaf.bytes());
  return out;
}

// 1 where the leaf lies in the instance.
std::vector<int> donated_of(const std::vector<kernel::Leaf>& leaves) {
  std::vector<int> out;
  for (const kernel::Leaf& leaf : leaves) out.push_back(leaf.donated ? 1 : 0);
  return out;
}

std::vector<std::byte> input_image(const import::Snapshot& snapshot,
                                   const kernel::Signature& signature, ByteOrder order) {
  std::vector<std::byte> out;
  size_t leaf = 0;
  for (const hlo::Literal& argument : snapshot.arguments) {
    for (const hlo::Literal& value : leaves(argument)) {
      const std::vector<std::byte> bytes =
          device::to_memory(value, signature.arguments[leaf++].shape, order);
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
  }
  return out;
}

// The facts as numbers, one a word; the parent reads them back in this order.
std::string facts_text(const Compilation& made) {
  const auto arguments = sizes_of(made.signature.arguments),
             results = sizes_of(made.signature.results);
  return cat(std::max<int64_t>(1, made.plan.arena_bytes), " ", made.plan.arena_align, " ",
             made.artifacts.code_bytes + made.artifacts.weights_bytes, " ", made.plan.state_bytes,
             " ", arguments.size(), " ", join(arguments, " "), " ",
             join(donated_of(made.signature.arguments), " "), " ", results.size(), " ",
             join(results, " "), " ", join(donated_of(made.signature.results), " "));
}

Result<std::string> compile_case(const Case& one, BatchCase facts, Target target,
                                 const std::string& folder) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  target.options.name = facts.name();
  HLOCC_TRY_ASSIGN(const Compilation made,
                   compile_module(imported->module, target, default_files(target), {}));
  std::vector<package::Placed> files;
  for (const package::File& file : made.files) files.push_back({folder, file});
  files.push_back({folder,
                   {cat(facts.number, ".in"),
                    input_image(*imported->snapshot, made.signature, target.byte_order)}});
  HLOCC_TRY(package::write_files(files));
  return facts_text(made);
}

Compiled read_facts(int number, const std::string& text) {
  Compiled out;
  out.facts.number = number;
  size_t at = 0;
  const std::vector<std::string> all = split(text, ' ');
  std::vector<int64_t> words;
  for (const std::string& word : all)
    if (const std::optional<int64_t> number = to_integer(word)) words.push_back(*number);
  out.facts.arena_bytes = words[at++];
  out.facts.arena_align = words[at++];
  out.flash_bytes = words[at++];
  out.ram_bytes = words[at++] + out.facts.arena_bytes;
  const auto take = [&](std::vector<int64_t>& bytes, std::vector<bool>& donated) {
    const int64_t count = words[at++];
    for (int64_t n = 0; n < count; ++n) bytes.push_back(words[at++]);
    for (int64_t n = 0; n < count; ++n) donated.push_back(words[at++] != 0);
  };
  take(out.facts.argument_bytes, out.facts.argument_donated);
  take(out.facts.result_bytes, out.facts.result_donated);
  return out;
}

// --- in the child: read one case's results and compare ---

// What differs, and the digest of the results.
Result<CaseOutcome> compare_case(const Case& one, const BatchCase& facts, const Target& target,
                                 const std::string& folder, bool guard) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  Options options = target.options;
  options.name = facts.name();
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(imported->module, options));
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes,
                   import::read_file(output_file(folder, facts)));
  std::span<const std::byte> rest = bytes;
  if (guard) {
    const std::string wrong = device::judge_guard(read_guard_file(rest, facts),
                                                  static_cast<int>(facts.argument_bytes.size()));
    if (!wrong.empty()) return CaseOutcome::failed(wrong);
  }
  if (rest[0] != std::byte{0})
    return CaseOutcome::failed(cat("run returned ", static_cast<int>(rest[0])));
  rest = rest.subspan(guard ? kGuardHead : 1);
  CaseOutcome out;
  out.results_sha256 = sha256(rest);
  std::vector<hlo::Literal> results;
  for (const kernel::Leaf& leaf : signature.results) {
    results.push_back(device::from_memory(rest.first(leaf.bytes()), leaf.shape, target.byte_order));
    rest = rest.subspan(leaf.bytes());
  }
  const hlo::Literal& expected = imported->snapshot->result;
  out.why = compare_results(unflatten(imported->module.entry_result, results), expected,
                            all_rules(one.rules, imported->module, expected),
                            package::result_labels(imported->module));
  if (!out.why.empty()) out.verdict = Verdict::kFailed;
  return out;
}

// --- the parent ---

class Verifier {
 public:
  Verifier(const std::vector<Case>& cases, const Target& target, const Board& board, bool guard,
           WorkFolder folder)
      : cases_(cases),
        target_(target),
        board_(board),
        guard_(guard),
        folder_(std::move(folder)),
        outcomes_(cases.size()),
        compile_seconds_(cases.size()) {}

  std::vector<CaseOutcome> run(const BeginCase& begin) {
    std::vector<Compiled> batch;
    int64_t flash = kFlashReserve;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (begin) begin(i);
      std::optional<Compiled> compiled = compile(static_cast<int>(i));
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
  std::optional<Compiled> compile(int i) {
    BatchCase facts;
    facts.number = i;
    const ChildOutcome child = compute_in_child(
        [&] {
          const Result<std::string> made = compile_case(cases_[i], facts, target_, folder_.path());
          return made.ok() ? to_text({Verdict::kPassed, *made, 0})
                           : to_text(CaseOutcome::of(made.error()));
        },
        kCaseSeconds);
    CaseOutcome outcome = outcome_of(child);
    if (outcome.verdict == Verdict::kPassed) {
      Compiled compiled = read_facts(i, outcome.why);
      compile_seconds_[i] = outcome.cpu_seconds;
      if (fits(i, compiled)) return compiled;
    } else {
      outcomes_[i] = std::move(outcome);
    }
    return std::nullopt;
  }

  bool fits(int i, const Compiled& compiled) {
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

  int64_t ram_of(const Compiled& compiled) const {
    return compiled.ram_bytes + (guard_ ? guard_room(compiled.facts) : 0);
  }

  void run_batch(std::span<const Compiled> batch) {
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
  void give_up(std::span<const Compiled> batch, const Diagnostic& why) {
    for (const Compiled& one : batch) outcomes_[one.facts.number] = CaseOutcome::of(why);
  }

  Result<ChildOutcome> link(std::span<const Compiled> batch, const std::string& program) {
    std::vector<BatchCase> facts;
    std::vector<std::string> inputs = {folder_.path() + "/main.c", "-I" + folder_.path()};
    for (const Compiled& one : batch) {
      facts.push_back(one.facts);
      inputs.push_back(is_source(target_) ? cat(folder_.path(), "/", one.facts.name(), ".c")
                                          : cat(folder_.path(), "/lib", one.facts.name(), ".a"));
    }
    HLOCC_TRY(
        package::write_file(inputs[0], bytes_of(write_batch_main(facts, folder_.path(), guard_))));
    ChildOutcome linked = link_firmware(board_, program, inputs);
    if (linked.environment) return environment_of(linked);
    return linked;
  }

  void run_program_on_board(std::span<const Compiled> batch, const std::string& program) {
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
  bool guard_;
  WorkFolder folder_;
  std::vector<CaseOutcome> outcomes_;
  std::vector<double> compile_seconds_;
};

}  // namespace

Result<std::vector<CaseOutcome>> verify_ahead(const std::vector<Case>& cases, const Target& target,
                                              bool guard, const BeginCase& begin) {
  HLOCC_TRY_ASSIGN(const Board board, find_board(target));
  if (!board.unavailable.empty())
    return std::vector<CaseOutcome>(cases.size(), CaseOutcome::no_tool(board.unavailable));
  HLOCC_TRY_ASSIGN(WorkFolder folder, WorkFolder::make());
  return Verifier(cases, target, board, guard, std::move(folder)).run(begin);
}

}  // namespace hlocc::driver
