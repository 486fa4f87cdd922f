// Windows of streamed rows that follow one another (--every N): a third word of the stream's state,
// behind those of StreamSteps, says how many rows lie between their ends.
#pragma once
#include "kernel/program.h"

namespace hlocc::kernel {

// Of a program that has a stream (add_stream).
void space_windows(Program& program, int64_t every);
// 0: each window begins anew, or there is no stream.
int64_t window_spacing(const Program& program);
// Of the stream's state.
int64_t window_spacing(const ProgramValue& state);

}  // namespace hlocc::kernel
