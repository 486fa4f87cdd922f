// The C backend: a legalised program and its plan as one file of C99, for the user's own compiler,
// beside the same header as every library has.
#pragma once
#include <set>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::backends {

// What C asks of a target: no instruction that the language has no operator for.
Target target_for_c(Target target);

// kinds: kCSource. The target is one that target_for_c gave.
Result<Artifacts> compile_to_c(const kernel::Program& program, const planning::Plan& plan,
                               const Target& target, const std::set<ArtifactKind>& kinds);

}  // namespace hlocc::backends
