// Runs a plan on this machine: its steps on one arena, each value at its place. With the evaluator
// of programs, which gives each value memory of its own, it proves that sharing memory changed
// nothing.
#pragma once
#include <span>

#include "kernel/evaluate/evaluator.h"
#include "planning/plan.h"

namespace hlocc::planning {

struct ExecuteOptions {
  // Arguments lie in buffers that the caller brought (set_argN_data), not in the arena; they are
  // never written.
  bool callers_arguments = false;
  // What the plan submits to devices.
  kernel::PartFunction part = nullptr;
};

Result<std::vector<std::vector<std::byte>>> execute(
    const kernel::Program& program, const Plan& plan,
    std::span<const std::vector<std::byte>> arguments, kernel::ProgramState* state = nullptr,
    const ExecuteOptions& options = {});

}  // namespace hlocc::planning
