// A loop over rows (rows/row_loop.h) whose entrance becomes a row of itself, and what it is told by
// behind. See stream_loop.h.
#include "transforms/stream/stream_loop.h"

#include "hlo/leaves.h"
#include "support/number.h"
#include "support/text.h"
#include "transforms/rows/row_loop.h"

namespace hlocc::transforms {
namespace {

// What the loop is told by: the number of its steps.
constexpr const char* kSteps = "hlocc.stream_steps";
constexpr const char* kEvery = "hlocc.stream_every";

}  // namespace

void make_stream_loop(Module& module, const RowSchedule& schedule) {
  const RowLoopIds made = make_row_loop(module, module.entry, schedule);
  Computation& entry = module.entry_computation();
  entry[made.loop].frontend_attributes[kSteps] = cat(schedule.iterations);
  if (schedule.every > 0) entry[made.loop].frontend_attributes[kEvery] = cat(schedule.every);
  if (!schedule.rows_arrive) return;
  const Shape row = entry[made.entrance].shape;
  entry.replace_uses(made.entrance, schedule.entrance);
  entry[schedule.entrance].shape.dimensions = row.dimensions;
  module.entry_parameters[entry[schedule.entrance].get<hlo::ParameterAttributes>().number] =
      entry[schedule.entrance].shape;
}

InstructionId stream_parameter(const Module& module, int leaf) {
  int first = 0;
  for (InstructionId parameter : module.entry_computation().parameters) {
    const Shape& shape = module.entry_computation()[parameter].shape;
    if (first == leaf) return shape.is_array() ? parameter : kNone;
    first += static_cast<int>(hlo::leaf_count(shape));
  }
  return kNone;
}

void space_windows(Module& module, int64_t every) {
  Computation& entry = module.entry_computation();
  for (const InstructionId parameter : entry.parameters)
    entry[parameter].frontend_attributes[kEvery] = cat(every);
}

int64_t window_spacing(const Module& module) {
  for (const Instruction& i : module.entry_computation().instructions)
    if (const auto found = i.frontend_attributes.find(kEvery); found != i.frontend_attributes.end())
      return to_integer(found->second).value_or(0);
  return 0;
}

std::optional<int64_t> steps_of_stream(const Module& module) {
  for (const Instruction& i : module.entry_computation().instructions)
    if (const auto found = i.frontend_attributes.find(kSteps); found != i.frontend_attributes.end())
      return to_integer(found->second);
  return std::nullopt;
}

}  // namespace hlocc::transforms
