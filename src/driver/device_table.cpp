// See device_table.h.
#include "driver/device_table.h"

#include "driver/platforms.h"
#include "driver/plugin.h"
#include "support/text.h"

namespace hlocc::driver {

Result<std::vector<device::PlacedInstruction>> placed_on_devices(const hlo::Module& module,
                                                                 const CommandLine& line) {
  // With --target the backend is the one that makes the files.
  const bool is_asked = !line.plugin.empty() || (!line.backend.empty() && line.targets.empty());
  if (!is_asked) return std::vector<device::PlacedInstruction>{};
  const std::unique_ptr<device::PlatformManager> manager = make_platforms();
  HLOCC_TRY_ASSIGN(device::Platform * platform, find_platform(*manager, line.backend, line.plugin));
  HLOCC_TRY_ASSIGN(device::Partition partition,
                   partition_module(module, platform->GetCompiler(), platform->Name()));
  // Whoever takes all gets the module itself.
  if (takes_all(module, platform->GetCompiler()))
    for (device::PlacedInstruction& one : partition.placed) one.part.clear();
  return std::move(partition.placed);
}

std::string to_text(const std::vector<device::PlacedInstruction>& placed) {
  std::string out;
  for (const device::PlacedInstruction& one : placed)
    out += cat("runs     ", one.name, " (", one.op, ") on ", one.device,
               one.part.empty() ? "" : cat(" in ", one.part), one.why.empty() ? "" : ": ", one.why,
               "\n");
  return out;
}

}  // namespace hlocc::driver
