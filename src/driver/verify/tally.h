// What `verify` says of its cases, as they come and at the end: lines and a table, or JSON; and its
// exit code.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/cli/progress.h"
#include "driver/verify/known_gaps.h"
#include "driver/verify/verdict.h"

namespace hlocc::driver {

class Tally {
 public:
  // `show_ops`: also where all of them ran on one device.
  Tally(const CommandLine& line, bool show_ops, KnownGaps gaps, Progress& progress);

  // The cases that follow ran on this target.
  void begin_target(const std::string& target);
  void add(const Case& one, CaseOutcome outcome);
  // Says the rest. A target on which nothing ran is no success; of several the worst code counts:
  // 1, then 4.
  int finish() const;

 private:
  struct Row {  // of one target, or of all cases that ran here
    std::string target;
    VerdictCounts counts;
    int known = 0;
    std::string missing = {};  // the tool for want of which a case was skipped
  };

  ExitCode exit_of(const Row& row) const;
  ExitCode exit() const;
  int total(int (VerdictCounts::*count)() const) const;
  int total_known() const;
  void print_end() const;
  nlohmann::ordered_json to_json() const;
  nlohmann::ordered_json slowest() const;
  void report_nothing_ran(const Row& row) const;
  void add_json(const Case& one, const char* status, const std::string& why, double seconds);

  bool json_, quiet_;
  Progress& progress_;
  bool show_ops_, allow_skips_, names_targets_;
  device::OpsByDevice ops_;
  const KnownGaps gaps_;
  std::vector<Row> rows_;
  nlohmann::ordered_json cases_ = nlohmann::ordered_json::array();
};

}  // namespace hlocc::driver
