// tsan_streams [SCHEDULES]: the suite of streams on memory of this process, as a program of its
// own: for the thread sanitizer. Without a number HLOCC_SCHEDULES schedules, or 100.
#include <cstdio>
#include <cstdlib>

#include "devices/conformance/stream_suite.h"
#include "hlocc/device/simple_device.h"

int main(int argc, char** argv) {
  using namespace hlocc::device;
  const auto executor = MakeStreamExecutor({"host", {{"memory", 1 << 22, 64}}},
                                           std::make_shared<HostMemoryDevice>(64));
  const char* const wished = argc > 1 ? argv[1] : std::getenv("HLOCC_SCHEDULES");
  const int schedules = wished != nullptr ? std::atoi(wished) : 100;
  const auto failed = run_stream_suite(*executor, schedules);
  for (const std::string& one : failed) std::printf("%s\n", one.c_str());
  std::printf("%d schedules, %d failures\n", schedules, static_cast<int>(failed.size()));
  return failed.empty() ? 0 : 1;
}
