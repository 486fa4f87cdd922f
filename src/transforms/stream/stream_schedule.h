// A chain of ops as a loop that takes one row of its entrance an iteration (RowSchedule): iteration
// i takes row i, those behind the last row make what lies below the image.
#pragma once
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// None if what lies between is no chain of rows (schedule_rows), or these are not counted by
// `dimension` of the entrance.
std::optional<RowSchedule> schedule_stream(
    const hlo::Module& module, const hlo::Computation& computation,
    const std::vector<std::vector<hlo::InstructionId>>& users, hlo::InstructionId entrance,
    hlo::InstructionId exit, int64_t dimension);

// A layer whose rows beside the image the exit depends on: they would be others in another window.
struct BorderRead {
  size_t array = 0;                // that has these rows, by index
  int64_t before = 0, behind = 0;  // rows before the first, behind the last
};
std::optional<BorderRead> border_read(const RowSchedule& schedule);

}  // namespace hlocc::transforms
