// A Vulkan device of this machine, run by the same code that firmwares run (runtime_stub/gpu/
// hlocc_vulkan_program.h): launch tables are what is loaded, a run is a launch. Arguments and
// results of streams lie in memory of this process, and are copied into the device's for a run.
#pragma once
#include <memory>

#include "hlocc/device/stream_executor.h"
#include "target/gpu.h"

namespace hlocc::device {

struct StartedVulkan {
  std::unique_ptr<StreamExecutor> executor;
  const GpuDevice* row = nullptr;  // of target/gpu.h, for what it says of itself
};
// kMissingTool where this machine has no driver or no device.
Result<StartedVulkan> start_vulkan();

}  // namespace hlocc::device
