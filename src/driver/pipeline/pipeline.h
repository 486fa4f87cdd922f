// The pipeline: from a module to the files of one target. Values in, values out; the stages meet
// here and nowhere else.
//
//   module -> passes -> module -> lower -> program -> legalize -> program -> plan -> plan ->
//   backend -> artifacts -> files
#pragma once
#include <set>
#include <string>
#include <vector>

#include "driver/pipeline/decisions.h"
#include "driver/pipeline/ram_curve.h"
#include "driver/pipeline/stage_clock.h"
#include "hlo/module.h"
#include "kernel/program.h"
#include "package/file_set.h"
#include "planning/plan.h"
#include "target/artifacts.h"

namespace hlocc::driver {

// What a user wants to see on the way. The clock, if there is one, learns of every stage;
// `wants_row_floor` asks for Planned::row_floor. `flash` is --flash, -1 without: what weights and
// code may take before weights become palettes (fit_flash.h).
struct Watch {
  std::string print_after;
  StageClock* clock = nullptr;
  bool wants_row_floor = false;
  int64_t flash = -1;
};
// What --print-after accepts: import, the passes, lower, legalize, palettes, split, share, plan,
// decisions.
std::vector<std::string> stage_names();
Status check_stage_name(const std::string& stage);

// `parts`: functions that the module calls and a device computes (devices/partition/).
Result<Planned> plan_module(const hlo::Module& module, const kernel::Signature& signature,
                            const Target& target, const Watch& watch,
                            const std::set<std::string>& parts = {});

// Plans between the fastest and the smallest (ram_curve.h).
Result<std::vector<CurvePoint>> plan_curve(const hlo::Module& module,
                                           const kernel::Signature& signature, const Target& target,
                                           const Watch& watch);

// What the backend is asked for; the header and the texts of HLO and kernels are made elsewhere.
std::set<ArtifactKind> artifacts_for(const std::set<package::Emit>& emit);

struct Compilation {
  kernel::Signature signature;
  kernel::Program program;
  planning::Plan plan;
  Artifacts artifacts;
  std::vector<package::File> files;
  std::string price;  // Planned's
};
// What a device's compiler made of each part, and what the header says of the device.
struct DeviceSide {
  planning::DeviceData data;
  std::string note;
};
// Everything: the module of a model, verified, to the files that --emit asks for. `sha256` is that
// of the model's file, for the manifest.
Result<Compilation> compile_module(const hlo::Module& module, const Target& target,
                                   const std::set<package::Emit>& emit, const Watch& watch,
                                   const std::string& sha256 = "", const DeviceSide& device = {});

}  // namespace hlocc::driver
