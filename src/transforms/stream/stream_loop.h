// Builds the loop over the rows of an argument that a RowSchedule of stream_schedule.h describes.
#pragma once
#include "transforms/rewriter.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// In the entry, in the place of the chain; what the chain made is without readers (hlo::compact).
// Where rows arrive the entrance, a parameter, becomes one row of itself, which each step reads:
// the caller puts the next there. The shape of the parameter is then that of a row. With
// `schedule.every` the loop may go on behind its steps, for windows that follow.
void make_stream_loop(Module& module, const RowSchedule& schedule);

// The parameter that is a leaf of the arguments; kNone where it is an element of a tuple.
InstructionId stream_parameter(const Module& module, int leaf);
// Windows follow one another, so many rows apart, instead of beginning anew (--every): it rides on
// the parameters of the entry, and then on the loop.
void space_windows(Module& module, int64_t every);
// Of an entry with a parameter or a loop that says so; 0: windows are apart.
int64_t window_spacing(const Module& module);
// Steps of the loop that make_stream_loop made; none: there is no such loop.
std::optional<int64_t> steps_of_stream(const Module& module);

}  // namespace hlocc::transforms
