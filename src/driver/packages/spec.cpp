// See spec.h.
#include "driver/packages/spec.h"

#include <algorithm>
#include <filesystem>

#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/shared_library.h"
#include "driver/pipeline/targets.h"
#include "package/header_parts.h"
#include "package/library_files.h"
#include "package/names.h"
#include "support/number.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Diagnostic wrong(const std::string& sentence, const std::string& cure) {
  return error(DiagnosticKind::kUsage, sentence).note(cure);
}

// MAJOR.MINOR.PATCH, which every format takes.
bool is_version(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  return parts.size() == 3 && std::ranges::all_of(parts, [](const std::string& part) {
           return !part.empty() && part.size() <= 5 &&
                  part.find_first_not_of("0123456789") == std::string::npos &&
                  (part.size() == 1 || part[0] != '0');
         });
}

// SPDX's words: "MIT", "Apache-2.0 OR MIT".
bool is_license(const std::string& text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-.+() ").find(c) != std::string_view::npos;
  });
}

bool is_address(const std::string& text) {
  return (text.starts_with("https://") || text.starts_with("http://")) &&
         std::ranges::all_of(text, [](char c) {
           return c > ' ' && c < 0x7f &&
                  std::string_view("\"'<>\\`").find(c) == std::string_view::npos;
         });
}

Status check_texts(const PackageFlags& flags) {
  if (!is_version(flags.version))
    return wrong(cat("--package-version ", flags.version, " is no version"),
                 "a version is MAJOR.MINOR.PATCH: 1.2.0");
  if (!is_license(flags.license))
    return wrong(cat("--license ", flags.license, " is no expression of SPDX"),
                 "such as MIT, Apache-2.0 OR MIT, LicenseRef-Proprietary");
  if (!flags.url.empty() && !is_address(flags.url))
    return wrong(cat("--url ", flags.url, " is no address"), "it begins with https://");
  return {};
}

// Words that are no name in Rust.
bool is_rust_keyword(const std::string& name) {
  static constexpr std::string_view kWords[] = {
      "abstract", "async",   "await", "become", "box",   "crate", "dyn",   "final", "fn",
      "impl",     "in",      "let",   "loop",   "macro", "match", "mod",   "move",  "mut",
      "override", "priv",    "pub",   "ref",    "self",  "super", "trait", "type",  "unsized",
      "use",      "virtual", "where", "yield",  "core",  "std",   "test",  "alloc", "build"};
  return std::ranges::find(kWords, name) != std::end(kWords);
}

// No two models, and no model and the package, make names that could meet.
Status check_models(const PackageSpec& spec) {
  for (size_t i = 0; i < spec.models.size(); ++i) {
    const kernel::Signature& one = spec.models[i].names;
    if (spec.format->name == "cargo" && is_rust_keyword(one.stem))
      return wrong(cat("a module of Rust cannot be called ", one.stem),
                   "NAME=MODEL calls a model NAME");
    for (size_t j = 0; j < spec.models.size(); ++j) {
      const kernel::Signature& other = spec.models[j].names;
      if (i != j && one.prefix.starts_with(other.prefix))
        return wrong(cat("names of ", one.class_name, " (", one.prefix, "...) could be names of ",
                         other.class_name, " (", other.prefix, "...)"),
                     "NAME=MODEL calls a model NAME");
    }
    if (spec.models.size() > 1 && one.stem == spec.names.stem)
      return wrong(cat("the package and its model ", one.class_name, " are both called ", one.stem),
                   "--name calls the package, NAME=MODEL a model");
    if (one.stem == spec.names.stem + "_target")
      return wrong(cat("the header of ", one.class_name, ", ", one.stem,
                       ".h, is the one that chooses among the package's targets"),
                   "NAME=MODEL calls a model NAME");
  }
  return {};
}

Result<std::vector<PackageModel>> read_models(const CommandLine& line, const std::string& package) {
  std::vector<PackageModel> out;
  for (const std::string& word : line.models) {
    const ModelOperand operand = read_operand(word);
    if (operand.path == "-")
      return wrong("a package is made of files, not of the standard input", "name the file");
    std::error_code failure;
    if (!std::filesystem::exists(operand.path, failure))
      return error(DiagnosticKind::kFile, "there is no such file").at({operand.path, 0});
    std::string name = operand.name.empty() ? to_camel_case(package::stem_of_file(operand.path, {}))
                                            : operand.name;
    if (!package.empty())
      name = line.models.size() == 1 ? package : package::class_beside(package, name);
    HLOCC_TRY_ASSIGN(kernel::Signature names, package::make_library_signature(name));
    out.push_back({operand.path, std::move(names)});
  }
  return out;
}

Result<PackageTarget> read_target(const std::string& name, const CommandLine& line) {
  PackageTarget out;
  HLOCC_TRY_ASSIGN(out.target, resolve_target(name, line));
  HLOCC_TRY_ASSIGN(const BackendInfo backend, find_backend(out.target.backend, true));
  HLOCC_TRY_ASSIGN(out.core, backend.core(out.target));
  out.id = to_c_identifier(out.target.name);
  out.condition = package::compiler_condition(out.target, out.core);
  // What Linux runs is compiled for the oldest core that it serves, and asks less than firmware.
  if (out.target.bare_metal) out.condition += " && !defined(__linux__)";
  return out;
}

Result<std::vector<PackageTarget>> read_targets(const CommandLine& line,
                                                const PackageFormat& format) {
  if (line.targets.empty())
    return wrong("a package is for targets, and none is named",
                 "--target cortex-m4f --target rv32imc: `hlocc targets` lists them");
  std::vector<PackageTarget> out;
  for (const std::string& name : line.targets) {
    HLOCC_TRY_ASSIGN(PackageTarget one, read_target(name, line));
    const EcosystemNames names = ecosystem_names(one.target, one.core);
    if (const char* why = format.holds(one.target, names); why != nullptr)
      return error(DiagnosticKind::kTarget,
                   cat("--format ", format.name, " has no place for --target ", name, ": ", why))
          .note("name targets that it has a place for, or another format");
    const auto same = [&](const PackageTarget& other) {
      if (other.id == one.id) return true;
      return other.condition == one.condition &&
             !format.tells(ecosystem_names(other.target, other.core), names);
    };
    if (const auto other = std::ranges::find_if(out, same); other != out.end()) {
      if (other->target.name == one.target.name) continue;
      const std::string both = cat(other->target.name, " and ", one.target.name);
      return error(DiagnosticKind::kTarget,
                   other->id == one.id
                       ? cat(both, " would both be called ", one.id, " in a package")
                       : cat("no compiler tells ", both,
                             " apart: a package has one library for both"))
          .note(cat("leave out one of them, or make a package of each"));
    }
    out.push_back(std::move(one));
  }
  std::ranges::stable_sort(out, [](const PackageTarget& a, const PackageTarget& b) {
    return a.core.facts.size() + a.target.bare_metal > b.core.facts.size() + b.target.bare_metal;
  });
  return out;
}

// A folder that is not there, an empty one, or one that a package of this verb's is in.
Status check_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (!fs::exists(folder, failure)) return {};
  if (!fs::is_directory(folder, failure))
    return wrong(cat("-o ", folder, " is no folder"), "name one that is empty or not there yet");
  if (fs::is_empty(folder, failure) || fs::exists(folder + "/" + kPackageManifest, failure))
    return {};
  return wrong(cat("-o ", folder, " is not empty, and holds no package of hlocc's"),
               "name a folder that is empty or not there yet");
}

}  // namespace

Result<PackageSpec> read_package(const CommandLine& line) {
  PackageSpec out;
  HLOCC_TRY_ASSIGN(out.format, find_format(line.package.format));
  if (!line.options.memories.empty() && std::string_view(out.format->name) == "cargo")
    return wrong("--format cargo and --memory do not go together: its Arena is one array",
                 "another format, whose headers have an arena for each memory");
  HLOCC_TRY(check_texts(line.package));
  const std::string& name = line.options.name;
  if (line.models.size() > 1 && name.empty())
    return wrong("a package of several models needs a name", "--name acme::Models");
  HLOCC_TRY_ASSIGN(out.models, read_models(line, name));
  out.names = out.models[0].names;
  if (out.models.size() > 1) {
    HLOCC_TRY_ASSIGN(out.names, package::make_library_signature(name));
  }
  HLOCC_TRY(check_models(out));
  HLOCC_TRY_ASSIGN(out.targets, read_targets(line, *out.format));
  HLOCC_TRY(check_folder(line.output));
  return out;
}

// The cache's keys are those of `compile`, which has no flags of a package's.
CommandLine compile_line(const CommandLine& line, const PackageModel& model) {
  CommandLine out = line;
  for (const char* flag : {"--format", "--package-version", "--description", "--maintainer",
                           "--license", "--url", "--input", "--expect"})
    out.given.erase(flag);
  out.models = {model.path};
  out.options.name = model.names.class_name;
  out.given["--name"] = {model.names.class_name};
  return out;
}

}  // namespace hlocc::driver
