// A platform whose programs run on the host and hand parts to a device: for devices whose compiler
// does not take every op. Memory and streams are the host's; what goes to the device are steps of
// the program.
#pragma once
#include <set>

#include "devices/host/host_platform.h"

namespace hlocc::device {

// As CompileForHost, of a module that calls these parts.
using CompileWithParts = std::function<Result<CompiledForHost>(
    const hlo::Module&, const CompileOptions&, const std::set<std::string>& parts)>;

// `host` must be the platform that runs HostCode in this process; `device` keeps leaves in the
// form of TransferManager as it stands. Both must outlive what is made, which has the device's
// name.
std::unique_ptr<Platform> make_partitioned_platform(Platform& host, Platform& device,
                                                    CompileWithParts compile, LinkObject link);

}  // namespace hlocc::device
