// The manifest, <stem>.json: what a build system or a person wants to know of a compiled model
// before flashing it. docs/manifest.md and docs/schemas/manifest.schema.json say what each key
// means.
#pragma once
#include <string>

#include "kernel/program.h"
#include "package/origin.h"
#include "planning/plan.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::package {

// Goes up when a key goes or changes its meaning; new keys leave it as it is.
inline constexpr int kManifestSchema = 1;

std::string write_manifest(const kernel::Signature& signature, const planning::Plan& plan,
                           const Target& target, const Artifacts& artifacts, const Origin& origin);

}  // namespace hlocc::package
