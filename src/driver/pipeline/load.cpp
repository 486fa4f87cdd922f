// See load.h.
#include "driver/pipeline/load.h"

#include "ops/check/verifier.h"
#include "package/names.h"
#include "package/stream_option.h"
#include "support/text.h"

namespace hlocc::driver {

Result<import::Imported> load_model(const std::string& path, import::Constants constants,
                                    std::string* sha256, const import::Choices& choices) {
  const std::string file = path == "-" ? "<stdin>" : path;
  WorkingOn working(cat("reading ", file));
  Result<import::Imported> imported = import::read_model_file(path, constants, sha256, choices);
  if (!imported) return located_in(file, std::move(imported).error());
  if (Status status = ops::verify(imported->module); !status)
    return located_in(file, std::move(status).error());
  return imported;
}

Diagnostic located_in(const std::string& path, Diagnostic why) {
  if (why.location.file.empty() && why.kind != DiagnosticKind::kUsage) why.location.file = path;
  return why;
}

Status name_leaves(const hlo::Module& module, const CommandLine& line, Options& options) {
  HLOCC_TRY_ASSIGN(options.argument_names,
                   package::names_by_leaf(line.compile.argument_names,
                                          package::hlo_argument_names(module), "--arg"));
  HLOCC_TRY_ASSIGN(options.result_names,
                   package::names_by_leaf(line.compile.result_names, {}, "--result"));
  if (!line.stream.empty()) {
    HLOCC_TRY_ASSIGN(options.stream, package::find_stream(module, options, line.stream));
  }
  return {};
}

}  // namespace hlocc::driver
