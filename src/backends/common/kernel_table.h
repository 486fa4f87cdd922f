// Which kernels a library needs code for, and what each is called there: those that the plans
// launch, equal ones once.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "backends/common/library.h"
#include "kernel/program.h"
#include "planning/plan.h"

namespace hlocc::backends {

// The kernels that the plan launches, in order.
std::set<kernel::KernelId> launched_kernels(const planning::Plan& plan);

struct EmittedKernel {
  size_t unit = 0;  // whose program has the kernel
  kernel::KernelId kernel = kernel::kNone;
  std::string symbol;  // <prefix>k_<name>, unique in the library
  // By bound buffer: no launch of this code lets it overlap another operand of which one is
  // written.
  std::vector<bool> unshared;
  // The first step that launches it, in the order of the plans, and how many do.
  const kernel::Origin* first_use = nullptr;
  int uses = 0;
};

struct KernelTable {
  std::vector<EmittedKernel> emitted;
  // By unit, by KernelId: its row of `emitted`; -1: never launched.
  std::vector<std::vector<int>> of_unit;
  // Of a library of one model.
  const std::vector<int>& of_kernel() const { return of_unit[0]; }
};

// The first step, outer ones before their bodies, whose lines in the user's program are known; an
// empty origin where none is.
kernel::Origin first_with_lines(const kernel::Steps& steps);

KernelTable table_of_kernels(const Library& library);

}  // namespace hlocc::backends
