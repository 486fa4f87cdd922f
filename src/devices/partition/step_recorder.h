// Collects when the steps of a run over two devices began and ended, from the threads of all their
// streams.
#pragma once
#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "hlocc/device/executable.h"

namespace hlocc::device {

class StepRecorder {
 public:
  using Clock = std::chrono::steady_clock;

  void add(std::string name, std::string device, Clock::time_point begin) {
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    const std::lock_guard lock(mutex_);
    steps_.push_back({begin, {std::move(name), std::move(device), took.count()}});
  }
  // In order of their beginnings; when no more are added.
  ExecutionProfile take() {
    const std::lock_guard lock(mutex_);
    std::ranges::stable_sort(steps_, {}, &Row::begin);
    ExecutionProfile profile;
    for (Row& row : steps_) profile.steps.push_back(std::move(row.step));
    steps_.clear();
    return profile;
  }

  // Around work that is given to a stream: its time there is a step.
  template <typename Give>
  Status timed(Stream& stream, std::string name, std::string device, const Give& give) {
    const auto begin = std::make_shared<Clock::time_point>();
    HLOCC_TRY(stream.DoHostCallback([begin]() -> Status {
      *begin = Clock::now();
      return {};
    }));
    HLOCC_TRY(give());
    return stream.DoHostCallback([this, begin, name, device]() -> Status {
      add(name, device, *begin);
      return {};
    });
  }

 private:
  struct Row {
    Clock::time_point begin;
    ProfiledStep step;
  };
  std::mutex mutex_;
  std::vector<Row> steps_;
};

}  // namespace hlocc::device
