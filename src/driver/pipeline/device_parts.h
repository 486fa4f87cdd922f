// A model for a processor with an accelerator beside it, ahead of time: which parts of it the
// device of a plug-in, or a GPU, computes, and what the device's compiler makes of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "driver/run/platforms.h"
#include "hlo/module.h"
#include "hlocc/device/compiler.h"
#include "package/file_set.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::driver {

struct DeviceParts {
  hlo::Module host;                  // calls the parts as functions
  planning::DeviceData data;         // by <prefix>part_0, ...: what the library is to hold
  std::vector<package::File> files;  // <prefix>part_0.KIND
  std::string device;
  std::string note;                      // what the header says of the device, or empty
  size_t instructions = 0, of_host = 0;  // how many run on the device, and beside it
};

// Loads the plug-in, if one is named; else the device is a GPU of the row `where.device`. A part
// that the device's compiler refuses is its diagnostic.
Result<DeviceParts> parts_for_device(const hlo::Module& module, const PlatformChoice& where,
                                     const Target& target);

// What a device's compiler made of the part `symbol`, as files and as the library's data. Errors:
// kRun for a kind that ends no file's name everywhere, and for what is made twice.
Status add_artifacts(const std::vector<device::DeviceArtifact>& made, const std::string& symbol,
                     std::string_view device, DeviceParts& out);

}  // namespace hlocc::driver
