// Which function of the C text a launch calls. A kernel that reads a constant in one launch and
// memory of the arena in another has a function for each: constants are read through the hook.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "backends/c/constant_hook.h"
#include "backends/c/weights_writer.h"
#include "backends/common/kernel_table.h"
#include "planning/plan.h"

namespace hlocc::backends {

struct LaunchedFunction {
  int row = 0;  // of the kernel table
  std::string symbol;
  std::vector<Held> held;  // by bound buffer
  int calls = 1;           // launches that the text has of it
  const kernel::Origin* first_use = nullptr;
};

class LaunchedCode {
 public:
  LaunchedCode(const planning::Plan& plan, const KernelTable& table, const Weights& weights);

  // By row, and within it in the order of first launches.
  const std::vector<LaunchedFunction>& functions() const { return functions_; }
  const std::string& symbol_of(const kernel::Launch& launch) const;

 private:
  std::vector<Held> held_by(const kernel::Launch& launch) const;
  std::vector<LaunchedFunction>::const_iterator find(int row, const std::vector<Held>& held) const;

  const planning::Plan& plan_;
  const KernelTable& table_;
  const Weights& weights_;
  std::vector<LaunchedFunction> functions_;
};

}  // namespace hlocc::backends
