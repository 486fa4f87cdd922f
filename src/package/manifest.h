// The manifest, <stem>.json: what a build system or a person wants to know of a compiled model
// before flashing it.
#pragma once
#include <string>

#include "kernel/program.h"
#include "planning/plan.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::package {

std::string write_manifest(const kernel::Signature& signature, const planning::Plan& plan,
                           const Target& target, const Artifacts& artifacts);

}  // namespace hlocc::package
