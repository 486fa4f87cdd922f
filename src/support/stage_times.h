// How long the stages of a compilation take: what --time-report prints. Processor time is what can
// be compared between runs on a busy machine; wall time is what the user waited for.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hlocc {

struct StageTime {
  std::string stage;
  double cpu_seconds = 0, wall_seconds = 0;
};

// Rows in the order in which stages first ended; a stage that runs again adds to its row.
class StageTimes {
 public:
  StageTimes();
  // The time since the last call, or since this was made, belongs to `stage`.
  void charge(std::string_view stage);
  // A row that another process measured while this one waited: its wall time is no longer charged
  // here.
  void add(const StageTime& measured);
  const std::vector<StageTime>& rows() const { return rows_; }

 private:
  StageTime& row(std::string_view stage);

  std::vector<StageTime> rows_;
  double cpu_ = 0, wall_ = 0;  // when the last charge was made
};

}  // namespace hlocc
