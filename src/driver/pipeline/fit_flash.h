// Plan and code within the flash that there is: where weights and code exceed it, as many weights
// as are needed become palettes (planning/palettes.h), unless --weights-compression says otherwise.
#pragma once
#include "driver/pipeline/pipeline.h"

namespace hlocc::driver {

struct FittedModel {
  Planned planned;
  Artifacts artifacts;
};

// The model as `plan` plans it for a target, and as `build` makes it. Whether it fits in the end is
// for others to say: where it does not, all that can be palettes are.
using PlanModel = std::function<Result<Planned>(const Target& target)>;
using BuildModel = std::function<Result<Artifacts>(const Planned& planned)>;
Result<FittedModel> fit_flash(const Target& target, int64_t flash_budget, const PlanModel& plan,
                              const BuildModel& build);

// The bytes that the next attempt's palettes have to save, where an attempt whose palettes saved
// `saved` comes to `bytes` of flash; 0: it fits, or no more can be done. `asked`: that attempt's.
int64_t more_to_save(const Target& asked, int64_t flash_budget, int64_t bytes, int64_t saved);

// What palettes come to in a plan.
struct PaletteTotals {
  int layers = 0;
  int64_t bytes_saved = 0;
  double cycles_added = 0;
};
PaletteTotals palettes_of(const kernel::Steps& steps);

}  // namespace hlocc::driver
