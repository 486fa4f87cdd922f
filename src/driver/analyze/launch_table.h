// The launches of a plan as a table: which kernel runs for which HLO instructions, how lowering
// went about it, and what it does. `hlocc inspect --kernels` prints it, `hlocc analyze` builds on
// it.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::driver {

struct LaunchRow {
  std::string kernel;  // the function's name; layers may share one
  kernel::Origin origin;
  kernel::Choice choice;
  // costs/kernel_work.h; each time that the step runs.
  double products = 0, bytes_read = 0, bytes_written = 0, cycles = 0;
  bool in_loop = false;
  std::optional<int64_t> runs = 1;     // of a run of the program; none: not known (run_counts.h)
  const kernel::Step* step = nullptr;  // of the plan, which rows may outlive
  bool launches = true;                // false: a copy, a wait, ...; `kernel` says what it does

  // How often the figures count: once where that is not known.
  double times() const { return static_cast<double>(runs.value_or(1)); }
};

// In the order of `steps`, the plan's; launches in loops and branches too.
std::vector<LaunchRow> launch_table(const kernel::Program& program, const kernel::Steps& steps,
                                    const Target& target);
// Columns under a headline, a line a launch; in lines of `width` bytes (text_table.h).
std::string to_text(const std::vector<LaunchRow>& rows, size_t width = 0);
nlohmann::ordered_json to_json(const std::vector<LaunchRow>& rows);

}  // namespace hlocc::driver
