// What runs where, for `inspect --backend NAME` and `--plugin FILE`.
#pragma once
#include <optional>
#include <set>

#include "devices/partition/partition.h"
#include "driver/cli/command_line.h"

namespace hlocc::driver {

struct Placement {
  std::string device;
  std::vector<device::PlacedInstruction> placed;  // of the entry, in its order
  // What becomes code of the host's, and calls the parts; nothing where a device that is not the
  // host's takes the whole module.
  std::optional<hlo::Module> host;
  std::set<std::string> parts;
};

// Nothing where no platform was named. With --target it is the cut that `compile --plugin` makes:
// everything that the device takes is a part.
Result<std::optional<Placement>> place_on_devices(const hlo::Module& module,
                                                  const CommandLine& line);
std::string to_text(const std::vector<device::PlacedInstruction>& placed);

}  // namespace hlocc::driver
