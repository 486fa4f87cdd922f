// How one case of `verify` came out, and how a child process tells its parent.
#pragma once
#include <string>
#include <vector>

#include "driver/child.h"
#include "hlocc/device/executable.h"
#include "support/diagnostic.h"

namespace hlocc::driver {

enum class Verdict : uint8_t {
  kPassed,
  kFailed,
  kSkipped,      // it cannot run there: no room on the board, no emulator
  kUnsupported,  // skipped as well, but it is hlocc that lacks something
};

struct CaseOutcome {
  Verdict verdict = Verdict::kPassed;
  std::string why;
  double cpu_seconds = 0;   // compiling, running here, comparing; not what a board took
  device::OpsByDevice ops;  // where its instructions ran, if that is known

  static CaseOutcome failed(std::string why) { return {Verdict::kFailed, std::move(why), 0, {}}; }
  static CaseOutcome skipped(std::string why) { return {Verdict::kSkipped, std::move(why), 0, {}}; }
  static CaseOutcome of(const Diagnostic& diagnostic);
};

// What a child returns, and what became of it; a child that died or hung is a failed case.
std::string to_text(const CaseOutcome& outcome);
CaseOutcome outcome_of(const ChildOutcome& child);

}  // namespace hlocc::driver
