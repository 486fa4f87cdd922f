// All that can be told of a planned program, as one text: kernels and plan, what each launch does
// and costs, what is alive at each step, what the caller has to know.
#pragma once
#include <cmath>
#include <string>

#include "driver/analyze/launch_table.h"
#include "driver/cli/text_table.h"
#include "driver/pipeline/pipeline.h"
#include "planning/alive.h"
#include "planning/constants_by_type.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::tests {

inline std::string launches_text(const driver::Planned& made, const Target& chip) {
  const auto whole = [](double number) { return cat(static_cast<int64_t>(std::llround(number))); };
  driver::TextTable lines = {
      {"kernel", "schedule", "tile", "products", "read", "written", "cycles", "HLO"}};
  for (const driver::LaunchRow& row : driver::launch_table(made.program, made.plan.steps, chip))
    lines.push_back({row.kernel, row.choice.to_string(), row.choice.tile.to_string(),
                     whole(row.products), whole(row.bytes_read), whole(row.bytes_written),
                     whole(row.cycles),
                     cat(join(row.origin.hlo, ", "), row.in_loop ? " (an iteration)" : "")});
  return driver::to_text(lines, 3, 6);
}

inline std::string planned_text(const driver::Planned& made, const Target& chip) {
  std::string all =
      kernel::to_text(made.program) + planning::to_text(made.plan) + launches_text(made, chip);
  const planning::Alive alive = planning::find_alive(made.program, made.plan, chip);
  for (size_t i = 0; i < alive.steps.size(); ++i) {
    const planning::AliveStep& step = alive.steps[i];
    all += cat("alive ", step.bytes, " in ", join(step.step->origin.hlo, ", "), ":");
    for (const kernel::ProgramValueId id : alive.values_at(static_cast<int>(i), made.plan))
      all += cat(" ", id);
    all += "\n";
  }
  for (const auto& [type, bytes] : planning::constants_by_type(made.plan))
    all += cat(type, " ", bytes, "\n");
  for (size_t leaf = 0; leaf < made.plan.argument_places.size(); ++leaf)
    all += cat("argument ", leaf, made.plan.argument_place_reused[leaf] ? " reused" : "", " align ",
               made.plan.argument_alignment(leaf), "\n");
  return cat(all, "timed ", planning::timed_steps(made.plan).size(), "\n");
}

}  // namespace hlocc::tests
