// What any platform must pass: streams, events, copies and memory, as
// hlocc/device/stream_executor.h says. For the platforms of this house and for vendors' (`hlocc
// verify --backend NAME --streams N`).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "hlocc/device/stream_executor.h"

namespace hlocc::device {

// One check; what it found wrong is its failure.
struct StreamCheck {
  std::string name;
  std::function<Status(StreamExecutor&)> run;
};
// All but the random schedules.
const std::vector<StreamCheck>& stream_checks();

// Runs a random schedule of copies, fills, events and waits on several streams, and compares all
// that comes out with what the same work gives one after the other. `seed` is the schedule.
Status check_schedule(StreamExecutor& executor, uint64_t seed);

// All checks and `schedules` schedules: the failures, named; empty if all is well.
std::vector<std::string> run_stream_suite(StreamExecutor& executor, int schedules);

}  // namespace hlocc::device
