// What stages tell those who watch: the progress line learns what is being done, the time report
// how long it took.
#pragma once
#include <string>

#include "driver/cli/progress.h"
#include "support/stage_times.h"

namespace hlocc::driver {

struct StageClock {
  Progress* progress = nullptr;
  StageTimes times;
};

// What is done from here on, for the progress line. Both do nothing without a clock.
void begin_stage(StageClock* clock, const std::string& what);
// The time since the last stage ended belongs to this row of the time report.
void end_stage(StageClock* clock, std::string_view row);

// The table of --time-report: a line per stage with processor and wall time in seconds, the sum,
// the largest memory of this process and of its children, and what was spent of the budget.
std::string time_report(const StageTimes& times);

}  // namespace hlocc::driver
