// A program and its plan as a launch table (runtime_stub/gpu/hlocc_launch_table.h): each kernel
// that is launched as a shader, equal ones once, and the plan's steps as commands and as what the
// host decides between them.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/gpu.h"

namespace hlocc::backends {

struct LaunchTable {
  std::vector<uint32_t> words;
  int64_t bytes[3] = {};  // of the arena, the state and the constants
  // What `inspect` shows.
  int64_t launches = 0, copies = 0, segments = 0, waits = 0;
  std::vector<std::vector<uint32_t>> shaders;
};

// `program` was legalised for target_of(device, ...). kUnsupported for what the device cannot do,
// kLimit where it has too little memory for the program's values.
Result<LaunchTable> launch_table(const kernel::Program& program, const planning::Plan& plan,
                                 const Target& target, const GpuDevice& device);

}  // namespace hlocc::backends
