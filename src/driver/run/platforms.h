// The platforms of this build (include/hlocc/device/): interpreter, host, c, remote-sim, vulkan.
#pragma once
#include "hlocc/device/platform.h"
#include "target/options.h"

namespace hlocc::driver {

// Where to run, as the command line says it: --backend, --plugin, and --device, a row of
// target/gpu.h whose shaders the backend vulkan makes; each may be empty.
struct PlatformChoice {
  std::string backend, plugin, device;
};

// `device`: PlatformChoice's, a name that find_gpu knows; empty: the row of what is here. ahead:
// for GPUs elsewhere.
std::unique_ptr<device::PlatformManager> make_platforms(const std::string& device = "",
                                                        bool ahead = false);

// A device that lacks ops, with the host for the rest; it has the device's name. Both must outlive
// it.
std::unique_ptr<device::Platform> partitioned(device::PlatformManager& manager,
                                              device::Platform& device);

// Runs a module on the platform `host` between guards (devices/host/guard.h): what is wrong, or an
// empty text. One argument an entry parameter.
Result<std::string> run_guarded_here(const hlo::Module& module,
                                     std::span<const hlo::Literal> arguments,
                                     const Options& options);

// The platform that --backend NAME means in run, verify and bench: cpu is this machine's host.
std::string platform_of(const std::string& backend);

}  // namespace hlocc::driver
