// --every N: how far apart windows of streamed rows end.
#pragma once
#include "driver/cli/command_line.h"
#include "hlo/module.h"

namespace hlocc::driver {

// N, or 0 without the flag.
int64_t window_spacing(const CommandLine& line);
// A model as it is read takes it along (transforms/stream/stream_loop.h).
void space_windows(const CommandLine& line, hlo::Module& module);

}  // namespace hlocc::driver
