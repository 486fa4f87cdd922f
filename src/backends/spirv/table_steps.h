// The steps of a launch table, as they are written: commands in segments, and the host's steps
// between them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "backends/spirv/hazards.h"

namespace hlocc::backends {

class TableSteps {
 public:
  struct Spot {
    int memory = 0;
    int64_t offset = 0;
  };
  // What stands in a step for a place that is not known yet.
  using Placeholder = size_t;

  void launch(uint32_t shader, int64_t groups, const std::vector<uint32_t>& pushed,
              const std::vector<DeviceAccess>& accesses);
  void copy(Spot to, Spot from, int64_t bytes);
  // Begins a segment, which ends with the next `here` and is submitted so many times.
  void repeat(int64_t times);
  // Ends the segment: what comes now is the host's, or begins another one. The place, counted from
  // the first step.
  size_t here();
  Placeholder jump();
  Placeholder unless(Spot flag);
  std::vector<Placeholder> choose(Spot selector, int bytes, size_t branches);
  void fill(Placeholder placeholder, size_t place) {
    words_[placeholder] = static_cast<uint32_t>(place);
  }
  // All of it, with places counted from the begin of a table in which the steps begin at `at`.
  std::vector<uint32_t> finish(size_t at);

  int64_t launches() const { return launches_; }
  int64_t copies() const { return copies_; }
  int64_t segments() const { return segments_; }
  int64_t waits() const { return waits_; }

 private:
  void open();
  void close();
  Placeholder placeholder();
  void put(std::initializer_list<int64_t> words);
  uint32_t waits_for(const std::vector<DeviceAccess>& accesses);

  std::vector<uint32_t> words_;
  std::vector<Placeholder> placeholders_;
  Hazards hazards_;
  size_t commands_at_ = 0;  // of the open segment; 0: none is open
  int64_t launches_ = 0, copies_ = 0, segments_ = 0, waits_ = 0;
};

}  // namespace hlocc::backends
