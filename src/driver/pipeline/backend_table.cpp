// See backend_table.h.
#include "driver/pipeline/backend_table.h"

#include "backends/c/compile.h"
#include "support/suggest.h"
#include "support/text.h"

#ifdef HLOCC_LLVM
#include "backends/cpu/compile.h"
#include "backends/llvm/core_facts.h"
#endif

namespace hlocc::driver {
namespace {

#ifdef HLOCC_LLVM
Result<Artifacts> compile_with_llvm(const kernel::Program& program, const planning::Plan& plan,
                                    const Target& target, const std::set<ArtifactKind>& kinds) {
  return backends::compile(program, plan, target, {.kinds = kinds});
}

Result<Artifacts> compile_library_with_llvm(const backends::Library& library, const Target& target,
                                            const std::set<ArtifactKind>& kinds) {
  return backends::compile(library, target, {.kinds = kinds});
}

Result<CoreNeeds> core_of_machine(const Target& target) { return backends::core_needs(target); }
#endif

// C runs on any core of the family.
Result<CoreNeeds> core_of_c(const Target& target) {
  return CoreNeeds{core_family(target.triple), {}};
}

}  // namespace

const std::vector<BackendInfo>& backends() {
  static const std::vector<BackendInfo>& rows = *new std::vector<BackendInfo>{
      {"interpreter", "runs modules op by op: the reference", true, "", "", nullptr},
#ifdef HLOCC_LLVM
      {"cpu",
       "machine code through LLVM, ahead of time for any target, or for this machine at once", true,
       "lib,header,obj,asm,llvm,hlo,kernel,report", "", compile_with_llvm, core_of_machine, nullptr,
       compile_library_with_llvm},
#endif
      {"c", "C99 for any C compiler; here through this machine's", true,
       "c,header,hlo,kernel,report", "f64 where the C compiler's double has 32 bits (avr-mega2560)",
       backends::compile_to_c, core_of_c, backends::target_for_c},
      {"host", "this machine, as `cpu` means it where nothing is compiled ahead of time", true, "",
       "", nullptr},
      {"remote-sim", "this machine's code in a process of its own, which shares no memory", true,
       "", "", nullptr},
      {"vulkan",
       "a GPU of this machine, or what else a Vulkan driver offers; beside a target, with "
       "compile --device",
       true, "", "", nullptr},
  };
  return rows;
}

Result<BackendInfo> find_backend(std::string_view name, bool to_compile) {
  std::vector<std::string> able;
  for (const BackendInfo& row : backends()) {
    if (!(to_compile ? row.compile != nullptr : row.runs)) continue;
    if (row.name == name) return row;
    able.emplace_back(row.name);
  }
  return suggest(error(DiagnosticKind::kTarget,
                       cat("--backend ", name, ": there is no such backend for this")),
                 name, able)
      .note(cat("there is ", join(able, ", ")));
}

}  // namespace hlocc::driver
