// Work in a forked child: a crash, a hang, a failed check or an abort inside LLVM ends the child
// and is an outcome here, not the end of the tool.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace hlocc::driver {

struct ChildOutcome {
  // The child returned what `output` holds; else `failure` says why not ("signal 11 (Segmentation
  // fault)", "ran longer than 10 s", "exit code 3").
  bool finished = false;
  std::string output, failure;
  // Neither the child's fault nor ours, as `failure` says: there was no process, pipe or program to
  // be had, or no memory left in it.
  bool environment = false;
  // What the child wrote to stderr: of a failed child, or of one that had something to say.
  std::string errors;
  double cpu_seconds = 0;  // the child's and its own children's, in user and kernel
};

// The diagnostic of such an outcome: kEnvironment.
Diagnostic environment_of(const ChildOutcome& outcome);

// Runs `body` in a child; `seconds` 0: as long as it takes.
ChildOutcome run_in_child(const std::function<std::string()>& body, double seconds);
// `seconds` of the processor for the child, and for each process that it starts, so that a busy
// machine ends nothing; what only waits is ended by the clock, after ten times as many.
ChildOutcome compute_in_child(const std::function<std::string()>& body, double seconds);

// Starts a program and waits; its stdout and stderr together are `output`, an exit code other than
// 0 is a failure. The words of `environment` ("NAME=value") are added to the child's. After
// `seconds` (0: as long as it takes) it is killed with all that it started; then no more than the
// first megabytes of its output are kept.
ChildOutcome run_program(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment = {}, double seconds = 0);

}  // namespace hlocc::driver
