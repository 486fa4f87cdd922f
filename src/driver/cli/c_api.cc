// The functions of include/hlocc/c_api.h, on top of the same stages as the command line.
#include "hlocc/c_api.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "driver/cli/command_values.h"
#include "driver/cli/report.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/load.h"
#include "driver/run/execute.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "package/facts_json.h"
#include "package/json_text.h"
#include "package/names.h"

struct hlocc_model {
  hlocc::hlo::Module module;
  std::string file;
};

struct hlocc_program {
  std::unique_ptr<hlocc::driver::Prepared> prepared;
  std::vector<hlocc::hlo::Shape> parameters;
  std::string file;
};

namespace hlocc::driver {
namespace {

char* copy_of(const std::string& text) {
  char* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out != nullptr) std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}

// The value, or null and the failure told to `failure`; true if there is one.
template <typename T>
bool is_failure(const Result<T>& outcome, const std::string& file, char** failure) {
  if (failure != nullptr)
    *failure = outcome.ok() ? nullptr : copy_of(error_json(located_in(file, outcome.error())));
  return !outcome.ok();
}

Result<hlo::Module> read(std::span<const std::byte> bytes, const std::string& file) {
  HLOCC_TRY_ASSIGN(import::Imported imported, import::read_model(bytes, file));
  HLOCC_TRY(ops::verify(imported.module));
  return std::move(imported.module);
}

Result<std::string> leaves_text(const hlocc_model& model) {
  Options options;
  options.stem = package::stem_of_file(model.file, model.module);
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(model.module, options));
  return package::json_text(
      {{"arguments",
        package::leaves_json(signature.arguments, package::hlo_argument_names(model.module))},
       {"results", package::leaves_json(signature.results)}},
      true);
}

// One literal a parameter; without values, of zeros.
std::vector<hlo::Literal> arguments_of(const std::vector<hlo::Shape>& parameters,
                                       const void* const* values) {
  std::vector<hlo::Literal> out;
  for (const hlo::Shape& parameter : parameters) {
    std::vector<hlo::Literal> leaves;
    for (const hlo::Shape& shape : hlo::leaf_shapes(parameter)) {
      leaves.push_back(hlo::Literal::zeros(shape));
      const std::span<std::byte> bytes = leaves.back().mutable_bytes();
      if (values != nullptr && !bytes.empty()) std::memcpy(bytes.data(), *values, bytes.size());
      if (values != nullptr) ++values;
    }
    out.push_back(hlo::unflatten(parameter, leaves));
  }
  return out;
}

Result<std::unique_ptr<hlocc_program>> make_program(const hlocc_model& model,
                                                    const std::string& backend, const char* level) {
  const hlo::Module& module = model.module;
  const bool has_sizes = std::ranges::any_of(module.entry_parameters, [](const hlo::Shape& shape) {
    return shape.has_dynamic_dimensions();
  });
  if (has_sizes || module.entry_result.has_dynamic_dimensions())
    return error(DiagnosticKind::kUnsupported,
                 "arguments and results whose sizes are known when they come are not called here");
  Options options;
  if (level != nullptr) HLOCC_TRY(parse_level(level, options));
  auto out = std::make_unique<hlocc_program>();
  out->file = model.file;
  for (const hlo::Shape& shape : module.entry_parameters)
    out->parameters.push_back(hlo::with_default_layout(shape));
  HLOCC_TRY_ASSIGN(out->prepared,
                   prepare(module, arguments_of(out->parameters, nullptr),
                           {backend.empty() ? default_way() : backend, "", ""}, options));
  return out;
}

Result<bool> run(hlocc_program& program, const void* const* arguments, void* const* results) {
  HLOCC_TRY(program.prepared->replace(arguments_of(program.parameters, arguments)));
  HLOCC_TRY_ASSIGN(const hlo::Literal result, program.prepared->run());
  for (const hlo::Literal& leaf : hlo::leaves(result)) {
    if (!leaf.bytes().empty()) std::memcpy(*results, leaf.bytes().data(), leaf.bytes().size());
    ++results;
  }
  return true;
}

}  // namespace
}  // namespace hlocc::driver

using namespace hlocc::driver;

int hlocc_api_version(void) { return HLOCC_API_VERSION; }

void hlocc_free(char* text) { std::free(text); }

hlocc_model* hlocc_model_read(const void* bytes, size_t size, const char* file, char** failure) {
  const std::string name = file == nullptr ? "model" : file;
  hlocc::Result<hlocc::hlo::Module> module =
      read({static_cast<const std::byte*>(bytes), size}, name);
  if (is_failure(module, name, failure)) return nullptr;
  return new hlocc_model{std::move(*module), name};
}

void hlocc_model_free(hlocc_model* model) { delete model; }

char* hlocc_model_leaves(const hlocc_model* model, char** failure) {
  const hlocc::Result<std::string> text = leaves_text(*model);
  return is_failure(text, model->file, failure) ? nullptr : copy_of(*text);
}

hlocc_program* hlocc_program_make(const hlocc_model* model, const char* backend, const char* level,
                                  char** failure) {
  hlocc::Result<std::unique_ptr<hlocc_program>> program =
      make_program(*model, backend == nullptr ? "" : backend, level);
  return is_failure(program, model->file, failure) ? nullptr : program->release();
}

void hlocc_program_free(hlocc_program* program) { delete program; }

int hlocc_program_run(hlocc_program* program, const void* const* arguments, void* const* results,
                      char** failure) {
  const hlocc::Result<bool> outcome = run(*program, arguments, results);
  if (!is_failure(outcome, program->file, failure)) return 0;
  return hlocc::exit_code(outcome.error().kind);
}
