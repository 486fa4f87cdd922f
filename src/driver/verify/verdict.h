// How one case of `verify` came out, and how a child process tells its parent.
#pragma once
#include <string>
#include <vector>

#include "driver/verify/child.h"
#include "hlocc/device/executable.h"
#include "support/result.h"

namespace hlocc::driver {

enum class Verdict : uint8_t {
  kPassed,
  kFailed,
  kSkipped,      // it cannot run there: the board has no room
  kNoTool,       // skipped as well: no emulator, compiler or driver is installed
  kUnsupported,  // skipped as well, but it is hlocc that lacks something
  kEnvironment,  // failed, and neither by its own fault nor by ours: no disk, no process
};

struct CaseOutcome {
  Verdict verdict = Verdict::kPassed;
  std::string why;
  double cpu_seconds = 0;           // compiling, running here, comparing; not what a board took
  device::OpsByDevice ops;          // where its instructions ran, if that is known
  std::string results_sha256 = {};  // of the results' bytes, as the target has them; ahead of time

  static CaseOutcome failed(std::string why) { return {Verdict::kFailed, std::move(why), 0, {}}; }
  static CaseOutcome skipped(std::string why) { return {Verdict::kSkipped, std::move(why), 0, {}}; }
  static CaseOutcome no_tool(std::string why) { return {Verdict::kNoTool, std::move(why), 0, {}}; }
  static CaseOutcome of(const Diagnostic& diagnostic);
};

// Told of each case as its turn comes, by number.
using BeginCase = std::function<void(size_t)>;

// How often each verdict was given, and what follows for the exit code.
class VerdictCounts {
 public:
  void add(Verdict verdict) { ++counts_[static_cast<int>(verdict)]; }
  int passed() const { return of(Verdict::kPassed); }
  int failed() const { return of(Verdict::kFailed) + of(Verdict::kEnvironment); }
  int skipped() const;
  // Failures of the cases first, then those of the environment. Where nothing ran (neither these
  // nor `others` did), 4 if a tool is missing, else 1; kExitDone if that is allowed.
  ExitCode exit(int others, bool allow_skips) const;

 private:
  int of(Verdict verdict) const { return counts_[static_cast<int>(verdict)]; }
  int counts_[6] = {};
};

// The word of --json: passed, failed or skipped.
const char* word_of(Verdict verdict);

// What a child returns, and what became of it; a child that died or hung is a failed case.
std::string to_text(const CaseOutcome& outcome);
CaseOutcome outcome_of(const ChildOutcome& child);
// What a child returns of `count` cases, in order: theirs, or why it came to none. And what became
// of them: where the child died, those without an answer failed.
std::string to_text(const Result<std::vector<CaseOutcome>>& outcomes, size_t count);
std::vector<CaseOutcome> outcomes_of(const ChildOutcome& child, size_t count);

}  // namespace hlocc::driver
