// The platform `vulkan`: modules as launch tables (runtime_stub/gpu/hlocc_launch_table.h) on a
// Vulkan device of this machine. Who compiles is handed in: the pipeline is above.
#pragma once
#include <functional>
#include <memory>

#include "hlocc/device/platform.h"
#include "target/gpu.h"

namespace hlocc::device {

struct CompiledForVulkan {
  std::vector<std::byte> table;
  std::vector<hlo::Shape> arguments, results;  // leaves
};
using CompileForVulkan = std::function<Result<CompiledForVulkan>(
    const hlo::Module&, const CompileOptions&, const GpuDevice&)>;

// `row`: what the shaders may ask of the device; null: the row of the device that is here. ahead:
// for devices elsewhere; the row is taken as it is, and nothing is looked for here.
std::unique_ptr<Platform> make_vulkan_platform(const GpuDevice* row, CompileForVulkan compile,
                                               bool ahead = false);

}  // namespace hlocc::device
