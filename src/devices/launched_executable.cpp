// See launched_executable.h.
#include "devices/launched_executable.h"

#include <chrono>

namespace hlocc::device {

Status LaunchedExecutable::ExecuteAsyncOnStream(Stream& stream,
                                                std::span<const ExecutionInput> arguments,
                                                std::span<const DeviceMemory> results,
                                                ExecutionProfile* profile) {
  using Clock = std::chrono::steady_clock;
  HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> buffers, CheckBuffers(arguments, results));
  if (profile == nullptr) return stream.Launch(*kernel_, buffers, {});
  const auto begin = std::make_shared<Clock::time_point>();
  HLOCC_TRY(stream.DoHostCallback([begin]() -> Status {
    *begin = Clock::now();
    return {};
  }));
  HLOCC_TRY(stream.Launch(*kernel_, buffers, {}));
  return stream.DoHostCallback([begin, profile, device = device_]() -> Status {
    const std::chrono::duration<double, std::micro> took = Clock::now() - *begin;
    profile->steps = {{"run", device, took.count()}};
    return {};
  });
}

}  // namespace hlocc::device
