// The rows of target/gpu.h as `hlocc targets` shows them.
#pragma once
#include <nlohmann/json.hpp>

#include "driver/cli/text_table.h"
#include "target/gpu.h"

namespace hlocc::driver {

nlohmann::ordered_json gpu_json(const GpuDevice& gpu);
// A line each: name, arithmetic, elements in memory, group, shared memory, what it is.
TextTable gpu_table();

}  // namespace hlocc::driver
