// How long the stages of a compilation take: what --time-report prints. Processor time is what can
// be compared between runs on a busy machine; wall time is what the user waited for.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hlocc {

struct StageTime {
  std::string stage;
  double cpu_seconds = 0, wall_seconds = 0;
};

// What the clocks of this process stand at: a time without a stage.
StageTime clocks_now();

// Rows in the order in which stages first ended; a stage that runs again adds to its row.
class StageTimes {
 public:
  // `clocks`: what time is read from.
  explicit StageTimes(std::function<StageTime()> clocks = clocks_now);
  // The time since the last call, or since this was made, belongs to `stage`.
  void charge(std::string_view stage);
  // A row that another process measured while this one waited: its wall time is no longer charged
  // here.
  void add(const StageTime& measured);
  const std::vector<StageTime>& rows() const { return rows_; }

 private:
  StageTime& row(std::string_view stage);

  std::vector<StageTime> rows_;
  std::function<StageTime()> clocks_;
  StageTime last_;  // when the last charge was made
};

}  // namespace hlocc
