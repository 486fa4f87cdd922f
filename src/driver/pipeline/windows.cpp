// See windows.h.
#include "driver/pipeline/windows.h"

#include "support/number.h"
#include "transforms/stream/stream_loop.h"

namespace hlocc::driver {

int64_t window_spacing(const CommandLine& line) {
  const auto given = line.given.find("--every");
  if (given == line.given.end() || given->second.empty()) return 0;
  return to_integer(given->second.back()).value_or(0);
}

void space_windows(const CommandLine& line, hlo::Module& module) {
  if (const int64_t every = window_spacing(line); every > 0)
    transforms::space_windows(module, every);
}

}  // namespace hlocc::driver
