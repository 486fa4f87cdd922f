// Runs a compiled program on this machine: the object bytes of the ahead-of-time road, linked in
// memory. The instance keeps its state between runs, as a user's does.
#pragma once
#include <memory>
#include <span>

#include "backends/common/loaded_program.h"
#include "target/target.h"

namespace hlocc::backends {

// The object must have been compiled for `target`, which is `host`, from this program and plan.
// None is kept.
Result<std::unique_ptr<LoadedProgram>> load(std::span<const std::byte> object,
                                            const kernel::Program& program,
                                            const planning::Plan& plan, const Target& target);

}  // namespace hlocc::backends
