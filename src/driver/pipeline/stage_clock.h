// What stages tell those who watch: the progress line learns what is being done, the time report
// how long it took.
#pragma once
#include <string>
#include <string_view>

#include "driver/cli/progress.h"
#include "support/stage_times.h"

namespace hlocc::driver {

struct StageClock {
  Progress* progress = nullptr;
  StageTimes times;
  size_t target = 0, targets = 1;  // which of several is being compiled for
};

// How much of the compilation, for all targets, is done when that stage begins; 0: not known.
double share_of(const StageClock& clock, std::string_view stage);

// What is done from here on, for the progress line; `of`: for whom, or of what. Both do nothing
// without a clock.
void begin_stage(StageClock* clock, std::string_view what, std::string_view of = "");
// The time since the last stage ended belongs to this row of the time report.
void end_stage(StageClock* clock, std::string_view row);

// The table of --time-report: a line per stage with processor and wall time in seconds, the sum,
// the largest memory of this process and of its children, and what was spent of the budget.
std::string time_report(const StageTimes& times);

}  // namespace hlocc::driver
