// Runs a compiled program on this machine: the object bytes of the ahead-of-time road, linked in
// memory. The instance keeps its state between runs, as a user's does.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::backends {

class JitProgram {
 public:
  virtual ~JitProgram() = default;

  // Bytes a leaf, in the layout that the header documents. An empty argument that is state keeps
  // what it has. A code other than 0 from the program is a diagnostic (kRun).
  virtual Result<std::vector<std::vector<std::byte>>> run(
      std::span<const std::vector<std::byte>> arguments) = 0;
  // The two halves that a benchmark times: the arguments into their places (run may have written
  // over them), and the call itself, without moving results.
  virtual Status put(std::span<const std::vector<std::byte>> arguments) = 0;
  virtual int run_again() = 0;
};

// The object must have been compiled for `target`, which is `host`, from this program and plan.
// None is kept.
Result<std::unique_ptr<JitProgram>> load(std::span<const std::byte> object,
                                         const kernel::Program& program, const planning::Plan& plan,
                                         const Target& target);

}  // namespace hlocc::backends
