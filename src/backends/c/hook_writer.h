// The hooks of hlocc_device.h in C: their declarations, and definitions for firmwares without a
// driver, weak where the compiler has a word for that.
#pragma once
#include <string>

#include "planning/plan.h"

namespace hlocc::backends {

// Empty for plans that no device takes part in.
std::string hook_definitions(const planning::Plan& plan, const Options& options);

// The arrays that init hands to the device's driver; the header declares them.
std::string device_arrays(const planning::Plan& plan);

}  // namespace hlocc::backends
