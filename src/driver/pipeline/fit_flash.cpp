// See fit_flash.h. How much code palettes take is known only when it is there: what is still
// missing then is asked of the next plan.
#include "driver/pipeline/fit_flash.h"

#include "driver/analyze/analysis.h"

namespace hlocc::driver {

PaletteTotals palettes_of(const kernel::Steps& steps) {
  PaletteTotals out;
  kernel::for_each_step(steps, [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    if (launch == nullptr || launch->palettes.empty()) return;
    ++out.layers;
    for (const kernel::PaletteUse& use : launch->palettes) {
      out.bytes_saved += use.bytes_saved;
      out.cycles_added += use.cycles_added;
    }
  });
  return out;
}

int64_t more_to_save(const Target& asked, int64_t flash_budget, int64_t bytes, int64_t saved) {
  const int64_t room = flash_budget >= 0 ? flash_budget : asked.flash_bytes;
  if (asked.options.weights_compression != WeightsCompression::kWhereNeeded || room <= 0 ||
      bytes <= room)
    return 0;
  // Fewer than were asked for: there are no more.
  return saved < asked.options.bytes_to_save ? 0 : saved + bytes - room;
}

Result<FittedModel> fit_flash(const Target& target, int64_t flash_budget, const PlanModel& plan,
                              const BuildModel& build) {
  Target asked = target;
  for (;;) {
    FittedModel out;
    HLOCC_TRY_ASSIGN(out.planned, plan(asked));
    const planning::Plan& planned = out.planned.plan;
    const int64_t saved = palettes_of(planned.steps).bytes_saved;
    const auto more_for = [&](int64_t bytes) {
      return more_to_save(asked, flash_budget, bytes, saved);
    };
    int64_t more = more_for(planned.constant_bytes);
    if (more == 0) {
      HLOCC_TRY_ASSIGN(out.artifacts, build(out.planned));
      more = more_for(flash_of(out.planned.program, planned, out.artifacts, target).bytes());
    }
    if (more == 0) return out;
    asked.options.bytes_to_save = more;
  }
}

}  // namespace hlocc::driver
