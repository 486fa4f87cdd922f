// See device_table.h.
#include "driver/device_table.h"

#include "driver/platforms.h"
#include "driver/plugin.h"
#include "support/text.h"

namespace hlocc::driver {

Result<std::vector<device::PlacedInstruction>> placed_on_devices(const hlo::Module& module,
                                                                 const CommandLine& line) {
  if (line.plugin.empty()) return std::vector<device::PlacedInstruction>{};
  const std::unique_ptr<device::PlatformManager> manager = make_platforms();
  HLOCC_TRY_ASSIGN(device::Platform * platform, find_platform(*manager, line.backend, line.plugin));
  HLOCC_TRY_ASSIGN(device::Partition partition,
                   partition_module(module, platform->GetCompiler(), platform->Name()));
  return std::move(partition.placed);
}

std::string to_text(const std::vector<device::PlacedInstruction>& placed) {
  std::string out;
  for (const device::PlacedInstruction& one : placed)
    out += cat("runs     ", one.name, " (", one.op, ") on ", one.device,
               one.why.empty() ? "" : ": ", one.why, "\n");
  return out;
}

}  // namespace hlocc::driver
