// Which kernels a program needs code for, and what each is called there: those that the plan
// launches, equal ones once.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"

namespace hlocc::backends {

// The kernels that the plan launches, in order.
std::set<kernel::KernelId> launched_kernels(const planning::Plan& plan);

struct EmittedKernel {
  kernel::KernelId kernel = kernel::kNone;
  std::string symbol;  // <prefix>k_<name>, unique in the program
  // By bound buffer: no launch of this code lets it overlap another operand of which one is
  // written.
  std::vector<bool> unshared;
};

struct KernelTable {
  std::vector<EmittedKernel> emitted;
  std::vector<int> of_kernel;  // by KernelId: its row of `emitted`; -1: never launched
};

KernelTable table_of_kernels(const kernel::Program& program, const planning::Plan& plan);

}  // namespace hlocc::backends
