// See compiled_c.h. Source, header and shared library live in a folder of their own, which is gone
// as soon as the library is loaded.
#include "driver/compiled_c.h"

#include <dlfcn.h>

#include "backends/c/compile.h"
#include "driver/child.h"
#include "driver/host_compiler.h"
#include "driver/work_folder.h"
#include "package/file_set.h"
#include "package/writer.h"
#include "planning/interface.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

class SharedLibrary : public backends::LinkedObject {
 public:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  ~SharedLibrary() override { ::dlclose(handle_); }
  void* address(const std::string& symbol) override { return ::dlsym(handle_, symbol.c_str()); }

 private:
  void* handle_;
};

Result<std::unique_ptr<backends::LinkedObject>> compile_and_load(const std::string& source,
                                                                 const std::string& folder,
                                                                 const Target& target) {
  std::vector<std::string> command = host_compiler();
  if (command.empty())
    return error(DiagnosticKind::kRun, "there is no C compiler here: neither cc nor what CC names")
        .note("install one, or take --backend interpreter");
  const std::string library = folder + "/model.so";
  const bool fast = target.options.level != Level::kO0 && target.options.level != Level::kO1;
  for (const std::string& word :
       {std::string("-std=c99"), std::string(fast ? "-O3" : "-O1"), std::string("-w"),
        std::string("-shared"), std::string("-fPIC"), std::string("-o"), library, source})
    command.push_back(word);
  const ChildOutcome made = run_program(command);
  if (!made.finished)
    return error(DiagnosticKind::kRun,
                 cat(command[0], " does not take the C of the model: ", made.output.substr(0, 400)))
        .note("CC names another compiler; if this one is sound, it is a bug of hlocc");
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return error(DiagnosticKind::kRun,
                 cat("cannot load what ", command[0], " made of the model: ", ::dlerror()))
        .note("CC names another compiler");
  return std::unique_ptr<backends::LinkedObject>(new SharedLibrary(handle));
}

}  // namespace

Result<std::unique_ptr<backends::LoadedProgram>> load_with_compiler(const Planned& planned,
                                                                    const Target& target) {
  HLOCC_TRY(backends::check_callable(planned.plan));
  HLOCC_TRY_ASSIGN(
      const Artifacts artifacts,
      backends::compile_to_c(planned.program, planned.plan, target, {ArtifactKind::kCSource}));
  const kernel::Signature& signature = planned.program.signature;
  HLOCC_TRY_ASSIGN(std::vector<package::File> files,
                   package::make_files(signature, planned.plan, target, artifacts,
                                       {package::Emit::kCSource, package::Emit::kHeader}));
  const WorkFolder folder;
  std::vector<package::Placed> placed;
  for (package::File& file : files) placed.push_back({folder.path(), std::move(file)});
  HLOCC_TRY(package::write_files(placed));
  HLOCC_TRY_ASSIGN(
      std::unique_ptr<backends::LinkedObject> code,
      compile_and_load(cat(folder.path(), "/", signature.stem, ".c"), folder.path(), target));
  return backends::load_program(std::move(code),
                                planning::run_symbol(signature, planned.plan, target),
                                planned.program, planned.plan);
}

}  // namespace hlocc::driver
