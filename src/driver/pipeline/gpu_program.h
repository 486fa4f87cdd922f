// A module for a GPU: planned as for any target, and what the GPU runs of it.
#pragma once
#include "backends/spirv/launch_table.h"
#include "driver/pipeline/pipeline.h"
#include "target/gpu.h"

namespace hlocc::driver {

struct GpuProgram {
  kernel::Signature signature;
  Planned planned;
  backends::LaunchTable table;
};
Result<GpuProgram> gpu_program(const hlo::Module& module, const Options& options,
                               const GpuDevice& gpu);

}  // namespace hlocc::driver
