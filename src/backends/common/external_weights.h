// Weights as a file of their own (--weights external), the same for every backend: the bytes of the
// pool, the symbol that code reads them at, and an assembler file that binds one to the other.
#pragma once
#include <string>

#include "kernel/program.h"
#include "planning/plan.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::backends {

// What code refers to, and the user's linker must find, aligned to kWeightsAlignment.
std::string weights_symbol(const kernel::Signature& signature);

// Puts <stem>_weights.bin, in the target's byte order, and <stem>_weights.S into the artifacts.
void add_external_weights(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, Artifacts& artifacts);

}  // namespace hlocc::backends
