// The CPU backend: legalised programs and their plans become object, archive, assembly or IR text
// through LLVM, with the facts that manifest and checks need. Code is generated in a forked child,
// so that an abort of LLVM's is a diagnostic.
#pragma once
#include <set>

#include "backends/common/library.h"
#include "support/result.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::backends {

struct CompileOptions {
  // kObject, kArchive, kAssembly, kLlvmIr.
  std::set<ArtifactKind> kinds = {ArtifactKind::kObject, ArtifactKind::kArchive};
  // Generate code in this very process: for debugging LLVM.
  bool in_process = false;
};

// The target must be complete (complete_target). What is measured is the most of all models.
Result<Artifacts> compile(const Library& library, const Target& target,
                          const CompileOptions& options = {});
Result<Artifacts> compile(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, const CompileOptions& options = {});

}  // namespace hlocc::backends
