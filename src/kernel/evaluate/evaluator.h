// Runs kernels and programs on this machine, op by op, with the exact meaning of ops.def: the
// oracle for legalisation and for every backend. Slow and plain.
#pragma once
#include <span>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::kernel {

// One span of bytes a bound buffer, in this machine's byte order. Out-of-range accesses are a
// diagnostic (kInternal).
Status evaluate(const Kernel& kernel, std::span<const std::span<std::byte>> buffers,
                std::span<const int64_t> integers);

// Runs the whole program without a plan: every value has memory of its own, and what launches say
// of overlaps is checked access by access (kInternal). arguments: bytes a leaf; returns bytes a
// result leaf. `state` keeps kState values between calls. `part` computes what a program submits to
// devices.
struct ProgramState {
  std::vector<std::vector<std::byte>>
      values;  // by ProgramValueId, empty for values that are no state
};
Result<std::vector<std::vector<std::byte>>> evaluate(
    const Program& program, std::span<const std::vector<std::byte>> arguments,
    ProgramState* state = nullptr, const PartFunction& part = nullptr);

}  // namespace hlocc::kernel
