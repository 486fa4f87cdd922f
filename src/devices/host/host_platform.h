// Platforms whose code is this machine's: `host`, which runs it in this process on its streams'
// threads, `remote-sim`, which runs it in a process of its own that shares nothing with this one,
// and any other that HostCode can be sent to. Who compiles is handed in: the pipeline is above.
#pragma once
#include "devices/host/host_code.h"
#include "hlocc/device/platform.h"

namespace hlocc::device {

struct CompiledForHost {
  HostCode code;
  std::vector<hlo::Shape> arguments, results;  // leaves
  int64_t device_bytes = 0;                    // of memory 1, where parts run on a device
};
using CompileForHost =
    std::function<Result<CompiledForHost>(const hlo::Module&, const CompileOptions&)>;
// Starts the one device.
using StartDevice = std::function<Result<std::unique_ptr<StreamExecutor>>()>;

std::unique_ptr<Platform> make_host_platform(std::string name, CompileForHost compile,
                                             StartDevice start);

// As much memory as the host's own streams may have; a limit in tests.
inline constexpr int64_t kHostMemory = int64_t{1} << 40;
Result<std::unique_ptr<StreamExecutor>> start_host(const LinkObject& link,
                                                   int64_t bytes = kHostMemory);
// A process is forked for the device; it ends with its executor.
Result<std::unique_ptr<StreamExecutor>> start_remote(const LinkObject& link,
                                                     int64_t bytes = kHostMemory);

}  // namespace hlocc::device
