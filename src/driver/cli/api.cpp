// The public function of include/hlocc/compile.h. What the user wants becomes the options that a
// command line gives, by the same functions, so that both accept and refuse the same.
#include <algorithm>

#include "driver/cli/command_line.h"
#include "driver/cli/command_values.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/memories.h"
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

// The same values that the words of `hlocc compile` give.
Result<driver::CommandLine> line_of(const Request& request) {
  driver::CommandLine line;
  line.verb = driver::Verb::kCompile;
  line.models = {request.file};
  line.targets = {request.target};
  line.cpu = request.cpu;
  line.features = request.features;
  line.has_cpu = !request.cpu.empty();
  line.has_features = !request.features.empty();
  line.backend = request.backend;
  line.limits = {.work = std::max(0ll, request.work_limit),
                 .memory = std::max(0ll, request.memory_limit)};
  Options& options = line.options;
  HLOCC_TRY(driver::parse_level(request.level, options));
  options.name = request.name;
  options.keep_arguments = request.keep_arguments;
  options.winograd = request.winograd;
  options.integer_qdq = request.integer_qdq;
  options.ram_budget = std::max(0ll, request.ram_budget);
  if (!request.memory.empty()) {
    HLOCC_TRY_ASSIGN(options.memories, driver::parse_memories(request.memory));
  }
  if (!request.weights_in.empty()) {
    options.weights_memory = request.weights_in;
    line.given["--weights-in"] = {request.weights_in};
  }
  if (request.palettes) options.weights_compression = WeightsCompression::kPalettes;
  options.weights_section = request.weights_section;
  if (!request.weights_section.empty())
    HLOCC_TRY(driver::check_section("weights_section", request.weights_section));
  HLOCC_TRY(driver::parse_emit({request.emit.begin(), request.emit.end()}, line.compile));
  for (const auto& [leaf, name] : request.argument_names)
    line.compile.argument_names.emplace(std::to_string(leaf), name);
  for (const auto& [leaf, name] : request.result_names)
    line.compile.result_names.emplace(std::to_string(leaf), name);
  HLOCC_TRY(driver::check_command(line));
  return line;
}

Result<std::vector<File>> compile_files(const Request& request) {
  HLOCC_TRY_ASSIGN(const driver::CommandLine line, line_of(request));
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
