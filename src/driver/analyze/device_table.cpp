// See device_table.h.
#include "driver/analyze/device_table.h"

#include "driver/pipeline/backend_table.h"
#include "driver/run/platforms.h"
#include "driver/run/plugin.h"
#include "support/text.h"

namespace hlocc::driver {

namespace {

// Its code is made from the plan of the whole module.
bool is_host(const device::Platform& platform) {
  return platform.Name() != "interpreter" && platform.Name() != "vulkan" &&
         find_backend(platform.Name(), false).ok();
}

}  // namespace

Result<std::optional<Placement>> place_on_devices(const hlo::Module& module,
                                                  const CommandLine& line) {
  // With --target the backend is the one that makes the files.
  const bool is_asked = !line.plugin.empty() || (!line.backend.empty() && line.targets.empty());
  if (!is_asked) return std::optional<Placement>();
  const std::unique_ptr<device::PlatformManager> manager = make_platforms(line.device);
  const std::string backend = line.targets.empty() ? line.backend : "";
  HLOCC_TRY_ASSIGN(device::Platform * platform,
                   find_platform(*manager, {backend, line.plugin, line.device}));
  HLOCC_TRY_ASSIGN(device::Partition cut,
                   partition_module(module, platform->GetCompiler(), platform->Name()));
  Placement out{.device = platform->Name(), .placed = std::move(cut.placed)};
  if (line.targets.empty() && takes_all(module, platform->GetCompiler())) {
    // A device that takes all gets the module itself.
    for (device::PlacedInstruction& one : out.placed) one.part.clear();
    if (is_host(*platform)) out.host = module;
    return std::optional(std::move(out));
  }
  out.host = std::move(cut.host);
  for (const device::Part& part : cut.parts) out.parts.insert(part.symbol);
  return std::optional(std::move(out));
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
