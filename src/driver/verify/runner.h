// `verify --target T --runner CMD`: a case is compiled, and CMD, a command of the user's, brings it
// to hardware and prints what that says.
#pragma once
#include "driver/verify/board.h"
#include "driver/verify/rules.h"
#include "driver/verify/verdict.h"

namespace hlocc::driver {

struct Runner {
  std::string command;  // for the shell; the folder or program is its last word
  int seconds = 300;    // what takes longer has failed
  bool links = false;   // CMD is given a program for the target's board, not a folder
  std::string stream;   // NAME[=AXIS]: the program pushes the rows of that argument
  int64_t every = 0;    // --every N
};
// One outcome a case, in order. docs/runtime_stub.md says what CMD finds and must print.
Result<std::vector<CaseOutcome>> verify_with_runner(const std::vector<Case>& cases,
                                                    const Target& target, const Runner& runner,
                                                    const BeginCase& begin = nullptr);

// What became of a case whose self-test, `title` with so many checks, the command ran.
CaseOutcome outcome_of_run(const ChildOutcome& ran, const std::string& title, int checks);

}  // namespace hlocc::driver
