// The backends: what each is called, where it may be asked for, and what it makes.
#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "backends/common/library.h"
#include "kernel/program.h"
#include "planning/plan.h"
#include "target/artifacts.h"
#include "target/core_facts.h"

namespace hlocc::driver {

struct BackendInfo {
  std::string_view name, what;
  bool runs;  // `run` and `verify` may ask for it, to work on this machine
  // As --emit spells it; the first is made where nothing is asked for, and the header, if it is
  // there.
  std::string_view emits;
  // Where it computes less than every op and type that the others do; empty: nowhere.
  std::string_view gaps;
  // What `compile` calls; null for backends that make no files.
  Result<Artifacts> (*compile)(const kernel::Program& program, const planning::Plan& plan,
                               const Target& target, const std::set<ArtifactKind>& kinds);
  // What the compiler of a firmware must say of its core; null where `compile` is.
  Result<CoreNeeds> (*core)(const Target& target) = nullptr;
  // What of a row it may ask for; null: all of it.
  Target (*target)(Target row) = nullptr;
  // Several models as one; null where the backend makes no libraries.
  Result<Artifacts> (*compile_library)(const backends::Library& library, const Target& target,
                                       const std::set<ArtifactKind>& kinds) = nullptr;
};

const std::vector<BackendInfo>& backends();

// The row of that name, if it can do what is wanted; else a diagnostic that lists those that can.
Result<BackendInfo> find_backend(std::string_view name, bool to_compile);

}  // namespace hlocc::driver
