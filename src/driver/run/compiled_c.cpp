// See compiled_c.h. Source, header and shared library live in folders of their own, which are gone
// as soon as the library is read, or loaded.
#include "driver/run/compiled_c.h"

#include <dlfcn.h>

#include "backends/c/compile.h"
#include "driver/pipeline/host_compiler.h"
#include "driver/verify/child.h"
#include "driver/verify/work_folder.h"
#include "import/file.h"
#include "package/file_set.h"
#include "package/writer.h"
#include "support/budget.h"
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

// The last net: a compiler that goes on and on is stopped by the system.
std::vector<std::string> within_limits(const std::vector<std::string>& command) {
  const Budget* budget = current_budget();
  if (budget == nullptr) return command;
  constexpr int64_t kWorkOfASecond = 100'000'000;
  std::vector<std::string> out = {
      "/bin/sh", "-c",
      cat("ulimit -t ", 1 + budget->work_limit() / kWorkOfASecond, "; exec \"$@\""), "cc"};
  out.insert(out.end(), command.begin(), command.end());
  return out;
}

Result<std::vector<std::byte>> compile_source(const std::string& source, const std::string& folder,
                                              const Target& target) {
  std::vector<std::string> command = host_compiler();
  if (command.empty())
    return error(DiagnosticKind::kMissingTool,
                 "there is no C compiler here: neither cc nor what CC names")
        .note("install one, or take --backend interpreter");
  const std::string library = folder + "/model.so";
  for (const std::string& word :
       {std::string("-std=c99"), host_optimization(target.options.level), std::string("-w"),
        std::string("-shared"), std::string("-fPIC"), std::string("-o"), library, source})
    command.push_back(word);
  const ChildOutcome made = run_program(within_limits(command));
  if (made.environment) return environment_of(made);
  if (!made.finished)
    return error(DiagnosticKind::kRun,
                 cat(command[0], " does not take the C of the model: ", made.output.substr(0, 400)))
        .note("CC names another compiler; if this one is sound, it is a bug of hlocc");
  Result<std::vector<std::byte>> bytes = import::read_file(library);
  if (bytes.ok()) return bytes;
  const bool unreadable = bytes.error().kind == DiagnosticKind::kEnvironment;
  return error(unreadable ? DiagnosticKind::kEnvironment : DiagnosticKind::kRun,
               cat("cannot load what the C compiler made of the model: ", bytes.error().message))
      .note("CC names another compiler");
}

}  // namespace

std::string host_optimization(Level level) {
  return level == Level::kO0 || level == Level::kO1 ? "-O1" : "-O3";
}

Result<std::unique_ptr<backends::LinkedObject>> load_library(std::span<const std::byte> library) {
  HLOCC_TRY_ASSIGN(const WorkFolder folder, WorkFolder::make());
  const std::string path = folder.path() + "/model.so";
  HLOCC_TRY(package::write_file(path, std::vector<std::byte>(library.begin(), library.end())));
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return error(DiagnosticKind::kEnvironment,
                 cat("cannot load what the C compiler made of the model: ", ::dlerror()))
        .note("CC names another compiler; TMPDIR names another folder to load it from");
  return std::unique_ptr<backends::LinkedObject>(new SharedLibrary(handle));
}

Result<std::vector<std::byte>> compile_library(const Planned& planned, const Target& target) {
  HLOCC_TRY(backends::check_callable(planned.plan));
  HLOCC_TRY_ASSIGN(
      const Artifacts artifacts,
      backends::compile_to_c(planned.program, planned.plan, target, {ArtifactKind::kCSource}));
  const kernel::Signature& signature = planned.program.signature;
  HLOCC_TRY_ASSIGN(std::vector<package::File> files,
                   package::make_files(signature, planned.plan, target, artifacts,
                                       {package::Emit::kCSource, package::Emit::kHeader}));
  HLOCC_TRY_ASSIGN(const WorkFolder folder, WorkFolder::make());
  std::vector<package::Placed> placed;
  for (package::File& file : files) placed.push_back({folder.path(), std::move(file)});
  HLOCC_TRY(package::write_files(placed));
  return compile_source(cat(folder.path(), "/", signature.stem, ".c"), folder.path(), target);
}

}  // namespace hlocc::driver
