// See stage_clock.h.
#include "driver/pipeline/stage_clock.h"

#include <sys/resource.h>

#include <cstdio>

#include "support/budget.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// How much of a compilation's time is over when a stage begins: the medians that
// bench/stage_shares.py prints (docs/command_line.md).
struct StageShare {
  std::string_view stage;
  double done;
};
constexpr StageShare kStageShares[] = {{"passes", 0.02},    {"lowering", 0.2},
                                       {"planning", 0.3},   {"code generation", 0.5},
                                       {"packaging", 0.98}, {"writing", 0.99}};

std::string line(const StageTime& time) {
  char text[128];
  std::snprintf(text, sizeof text, "%-28s %9.3f %9.3f\n", time.stage.c_str(), time.cpu_seconds,
                time.wall_seconds);
  return text;
}

// In MB; Linux counts kilobytes.
int64_t peak_memory(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

double share_of(const StageClock& clock, std::string_view stage) {
  for (const StageShare& row : kStageShares)
    if (row.stage == stage)
      return (static_cast<double>(clock.target) + row.done) / static_cast<double>(clock.targets);
  return 0;
}

void begin_stage(StageClock* clock, std::string_view what, std::string_view of) {
  if (clock == nullptr || clock->progress == nullptr) return;
  const Share share{share_of(*clock, what)};
  clock->progress->now_at(of.empty() ? std::string(what) : cat(what, " ", of), share);
}

void end_stage(StageClock* clock, std::string_view row) {
  if (clock != nullptr) clock->times.charge(row);
}

std::string time_report(const StageTimes& times) {
  std::string out = "stage                            cpu s    wall s\n";
  StageTime total{"total"};
  for (const StageTime& time : times.rows()) {
    out += line(time);
    total.cpu_seconds += time.cpu_seconds;
    total.wall_seconds += time.wall_seconds;
  }
  out += line(total);
  out += cat("peak memory: ", peak_memory(RUSAGE_SELF), " MB, code generation ",
             peak_memory(RUSAGE_CHILDREN), " MB\n");
  if (const Budget* budget = current_budget())
    out += cat("limits: work ", budget->work(), " of ", budget->work_limit(), ", memory ",
               budget->most_memory(), " of ", budget->memory_limit(), "\n");
  return out;
}

}  // namespace hlocc::driver
