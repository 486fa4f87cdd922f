// See kept_rows.h.
#include "planning/kept_rows.h"

#include <algorithm>
#include <set>

#include "kernel/window_spacing.h"

namespace hlocc::planning {

using namespace kernel;

std::vector<Id> kept_rows(const Program& program, const Steps& steps) {
  if (kernel::window_spacing(program) == 0) return {};
  const auto loop =
      std::ranges::find_if(steps, [&](const Step& step) { return takes_rows(program, step); });
  if (loop == steps.end()) return {};
  std::set<Id> before, kept;
  for (const Id argument : program.arguments)
    if (!program.is_streamed(argument)) before.insert(argument);
  for (auto step = steps.begin(); step != loop; ++step)
    for (const Id id : writes_of(*step, program.kernels)) before.insert(id);
  const auto keep_read = [&](const Step& step) {
    for (const Id id : reads_of(step, program.kernels))
      if (before.contains(id)) kept.insert(id);
  };
  const WhileStep& rows = std::get<WhileStep>(loop->what);
  for_each_step(rows.body, keep_read);
  for_each_step(Steps(loop + 1, steps.end()), keep_read);
  kept.insert(rows.result.begin(), rows.result.end());
  return {kept.begin(), kept.end()};
}

int64_t window_spacing(const Plan& plan) {
  for (size_t i = 0; plan.stream && i < plan.values.size(); ++i)
    if (plan.values[i].role == ValueRole::kState && plan.values[i].leaf == kernel::kNone &&
        plan.places[i].offset == plan.stream->state_offset)
      return kernel::window_spacing(plan.values[i]);
  return 0;
}

}  // namespace hlocc::planning
