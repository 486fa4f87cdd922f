// Plug-ins: shared libraries that bring a platform of their own (hlocc/device/plugin.h).
#pragma once
#include "driver/run/platforms.h"
#include "hlocc/device/platform.h"

namespace hlocc::driver {

// Loads the file, for as long as the program runs, and lets it register its platforms; the first of
// them. kFile if it cannot be loaded or is no plug-in, kTarget if it was built against other
// headers.
Result<device::Platform*> load_plugin(const std::string& file, device::PlatformManager& manager);

// What --backend and --plugin mean together: a backend of that name, else the plug-in's first.
Result<device::Platform*> find_platform(device::PlatformManager& manager,
                                        const PlatformChoice& where);

}  // namespace hlocc::driver
