// The public function of include/hlocc/compile.h. It says what the user wants as a command line
// would, so that both ways through the compiler accept and refuse the same.
#include "driver/cli/command_line.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "hlocc/compile.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "package/names.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::api {
namespace {

std::vector<std::string> words_of(const Request& request) {
  std::vector<std::string> words = {"hlocc", "compile", "model", "--target=" + request.target,
                                    "-O" + request.level};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.push_back(std::string(flag) + "=" + value);
  };
  add("--name", request.name);
  add("--cpu", request.cpu);
  add("--features", request.features);
  add("--backend", request.backend);
  add("--weights-section", request.weights_section);
  for (const std::string& kind : request.emit) add("--emit", kind);
  for (const auto& [leaf, name] : request.argument_names) add("--arg", cat(leaf, "=", name));
  for (const auto& [leaf, name] : request.result_names) add("--result", cat(leaf, "=", name));
  if (request.keep_arguments) words.push_back("--keep-arguments");
  if (!request.winograd) words.push_back("--no-winograd");
  if (!request.integer_qdq) words.push_back("--no-integer-qdq");
  std::vector<std::string> limits;
  if (request.work_limit > 0) limits.push_back(cat("work=", request.work_limit));
  if (request.memory_limit > 0) limits.push_back(cat("memory=", request.memory_limit));
  add("--limits", join(limits, ","));
  if (request.ram_budget > 0) add("--ram-budget", std::to_string(request.ram_budget));
  return words;
}

Result<std::vector<File>> compile_files(const Request& request) {
  const std::vector<std::string> words = words_of(request);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  HLOCC_TRY_ASSIGN(const driver::CommandLine line,
                   driver::parse_command_line(static_cast<int>(pointers.size()), pointers.data()));
  Budget budget(line.limits);
  const BudgetScope scope(&budget);
  HLOCC_TRY_ASSIGN(Target target, driver::resolve_target(request.target, line));
  HLOCC_TRY_ASSIGN(const import::Imported imported,
                   import::read_model(request.model, request.file));
  HLOCC_TRY(ops::verify(imported.module));
  target.options.stem = package::stem_of_file(request.file, imported.module);
  HLOCC_TRY(driver::name_leaves(imported.module, line, target.options));
  HLOCC_TRY_ASSIGN(
      driver::Compilation made,
      driver::compile_module(imported.module, target, driver::emitted_files(line, target), {},
                             sha256(request.model)));
  std::vector<File> files;
  for (package::File& file : made.files)
    files.push_back({std::move(file.name), file.bytes.joined()});
  return files;
}

}  // namespace

std::variant<std::vector<File>, Failure> compile(const Request& request) {
  Result<std::vector<File>> files = compile_files(request);
  if (files.ok()) return std::move(files).value();
  const Diagnostic& why = files.error();
  return Failure{std::string(diagnostic_kind_name(why.kind)),
                 why.message,
                 why.location.file.empty() ? request.file : why.location.file,
                 why.location.line,
                 why.notes,
                 exit_code(why.kind)};
}

}  // namespace hlocc::api
