// See stage_times.h.
#include "support/stage_times.h"

#include <algorithm>
#include <ctime>

namespace hlocc {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

StageTime clocks_now() {
  return {"", seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC)};
}

StageTimes::StageTimes(std::function<StageTime()> clocks)
    : clocks_(std::move(clocks)), last_(clocks_()) {}

StageTime& StageTimes::row(std::string_view stage) {
  const auto known = std::ranges::find(rows_, stage, &StageTime::stage);
  return known != rows_.end() ? *known : rows_.emplace_back(StageTime{std::string(stage)});
}

void StageTimes::charge(std::string_view stage) {
  const StageTime now = clocks_();
  StageTime& it = row(stage);
  it.cpu_seconds += now.cpu_seconds - last_.cpu_seconds;
  it.wall_seconds += now.wall_seconds - last_.wall_seconds;
  last_ = now;
}

void StageTimes::add(const StageTime& measured) {
  StageTime& it = row(measured.stage);
  it.cpu_seconds += measured.cpu_seconds;
  it.wall_seconds += measured.wall_seconds;
  last_.wall_seconds += measured.wall_seconds;
}

}  // namespace hlocc
