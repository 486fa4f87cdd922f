// See execute.h.
#include "driver/execute.h"

#include "driver/backend_table.h"
#include "driver/command_line.h"
#include "driver/compiled_c.h"
#include "driver/memory_image.h"
#include "driver/pipeline.h"
#include "driver/targets.h"
#include "interpreter/interpreter.h"
#include "ops/op_support.h"
#include "package/names.h"
#include "support/text.h"

#ifdef HLOCC_LLVM
#include "backends/cpu/jit.h"
#endif

namespace hlocc::driver {
namespace {

Status check_arguments(const kernel::Signature& signature,
                       const std::vector<hlo::Literal>& leaves) {
  if (leaves.size() != signature.arguments.size())
    return error(
        DiagnosticKind::kArgument,
        cat("got ", leaves.size(), " arguments, the model takes ", signature.arguments.size()));
  for (size_t i = 0; i < leaves.size(); ++i)
    if (!same_dimensions(leaves[i].shape(), signature.arguments[i].shape) ||
        leaves[i].type() != signature.arguments[i].shape.element_type)
      return error(DiagnosticKind::kArgument,
                   cat("argument ", i, " is ", leaves[i].shape(), ", the model takes ",
                       signature.arguments[i].shape));
  return {};
}

class PreparedNative : public Prepared {
 public:
  PreparedNative(std::unique_ptr<backends::LoadedProgram> program, kernel::Signature signature,
                 const hlo::Shape& result, ByteOrder byte_order, std::span<const hlo::Literal> flat)
      : program_(std::move(program)),
        signature_(std::move(signature)),
        result_(result),
        byte_order_(byte_order) {
    for (size_t i = 0; i < flat.size(); ++i)
      images_.push_back(to_memory(flat[i], signature_.arguments[i].shape, byte_order_));
  }

  Result<hlo::Literal> run() override {
    HLOCC_TRY_ASSIGN(const std::vector<std::vector<std::byte>> results, program_->run(images_));
    std::vector<hlo::Literal> out;
    for (size_t i = 0; i < results.size(); ++i)
      out.push_back(from_memory(results[i], signature_.results[i].shape, byte_order_));
    return unflatten(result_, out);
  }

  Status call() override {
    HLOCC_TRY(program_->put(images_));
    const int code = program_->run_again();
    if (code != 0) return error(DiagnosticKind::kRun, cat("run returned ", code));
    return {};
  }

 private:
  std::unique_ptr<backends::LoadedProgram> program_;
  kernel::Signature signature_;
  hlo::Shape result_;
  ByteOrder byte_order_;
  std::vector<std::vector<std::byte>> images_;
};

using LoadedCode = Result<std::unique_ptr<backends::LoadedProgram>>;

#ifdef HLOCC_LLVM
LoadedCode load_with_llvm(const Planned& planned, const Target& target) {
  HLOCC_TRY_ASSIGN(const BackendInfo backend, find_backend("cpu", true));
  HLOCC_TRY_ASSIGN(const Artifacts artifacts,
                   backend.compile(planned.program, planned.plan, target, {ArtifactKind::kObject}));
  return backends::load(artifacts.files.at(ArtifactKind::kObject).joined(), planned.program,
                        planned.plan, target);
}
#endif

Result<std::unique_ptr<Prepared>> prepare_native(
    const hlo::Module& module, std::span<const hlo::Literal> arguments, const std::string& way,
    const Options& options, LoadedCode (*load)(const Planned&, const Target&)) {
  CommandLine line;
  line.options = options;
  line.options.name = "hlocc_jit";
  line.backend = way;
  HLOCC_TRY_ASSIGN(const Target target, resolve_target("host", line));
  HLOCC_TRY_ASSIGN(kernel::Signature signature, package::make_signature(module, target.options));
  std::vector<hlo::Literal> flat;
  for (const hlo::Literal& argument : arguments)
    for (hlo::Literal& leaf : leaves(argument)) flat.push_back(std::move(leaf));
  HLOCC_TRY(check_arguments(signature, flat));
  HLOCC_TRY_ASSIGN(const Planned planned, plan_module(module, signature, target, {}));
  HLOCC_TRY_ASSIGN(std::unique_ptr<backends::LoadedProgram> program, load(planned, target));
  return std::unique_ptr<Prepared>(new PreparedNative(
      std::move(program), std::move(signature), module.entry_result, target.byte_order, flat));
}

class PreparedInterpreter : public Prepared {
 public:
  PreparedInterpreter(const hlo::Module& module, std::span<const hlo::Literal> arguments)
      : module_(module), arguments_(arguments) {}

  Result<hlo::Literal> run() override { return interpreter::run(module_, arguments_); }
  Status call() override {
    HLOCC_TRY_ASSIGN(const hlo::Literal result, run());
    (void)result;
    return {};
  }

 private:
  const hlo::Module& module_;
  std::span<const hlo::Literal> arguments_;
};

}  // namespace

std::string default_way() {
#ifdef HLOCC_LLVM
  return "cpu";
#else
  return "interpreter";
#endif
}

Result<std::unique_ptr<Prepared>> prepare(const hlo::Module& module,
                                          std::span<const hlo::Literal> arguments,
                                          const std::string& backend, const Options& options) {
  HLOCC_TRY(find_backend(backend, false));
#ifdef HLOCC_LLVM
  if (backend == "cpu") return prepare_native(module, arguments, "cpu", options, load_with_llvm);
#endif
  if (backend == "c") return prepare_native(module, arguments, "c", options, load_with_compiler);
  HLOCC_TRY(ops::check_supported(module, ops::Stage::kInterpreter));
  return std::unique_ptr<Prepared>(new PreparedInterpreter(module, arguments));
}

Result<hlo::Literal> execute(const hlo::Module& module, std::span<const hlo::Literal> arguments,
                             const std::string& backend, const Options& options) {
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Prepared> prepared,
                   prepare(module, arguments, backend, options));
  return prepared->run();
}

}  // namespace hlocc::driver
