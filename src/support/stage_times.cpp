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

StageTimes::StageTimes()
    : cpu_(seconds_of(CLOCK_PROCESS_CPUTIME_ID)), wall_(seconds_of(CLOCK_MONOTONIC)) {}

StageTime& StageTimes::row(std::string_view stage) {
  const auto known = std::ranges::find(rows_, stage, &StageTime::stage);
  return known != rows_.end() ? *known : rows_.emplace_back(StageTime{std::string(stage)});
}

void StageTimes::charge(std::string_view stage) {
  const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
  StageTime& it = row(stage);
  it.cpu_seconds += cpu - cpu_;
  it.wall_seconds += wall - wall_;
  cpu_ = cpu;
  wall_ = wall;
}

void StageTimes::add(const StageTime& measured) {
  StageTime& it = row(measured.stage);
  it.cpu_seconds += measured.cpu_seconds;
  it.wall_seconds += measured.wall_seconds;
  wall_ += measured.wall_seconds;
}

}  // namespace hlocc
