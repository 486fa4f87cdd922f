// See targets.h. Presets are complete rows; what the command line changes of them, and everything
// about a bare triple, is asked of LLVM's tables.
#include "driver/pipeline/targets.h"

#include <algorithm>

#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/memories.h"
#include "support/suggest.h"
#include "support/text.h"
#include "target/chips.h"

#ifdef HLOCC_LLVM
#include "backends/llvm/generic_target.h"
#else
#include "driver/pipeline/host_compiler.h"
#include "target/host_macros.h"
#endif

namespace hlocc::driver {
namespace {

// Which instructions a preset or chip runs, as far as a suggestion goes.
std::string family_of(const std::string& name) {
  const Chip* chip = find_chip(name);
  const std::optional<Target> row = preset(chip == nullptr ? name : std::string(chip->core));
  if (!row) return "";
  const std::string arch = row->triple.substr(0, row->triple.find('-'));
  return arch.starts_with("thumb") || arch.starts_with("arm") ? "arm" : arch;
}

// The nearest name; none where names of several instruction sets are equally near.
Diagnostic unknown(const std::string& name) {
  std::vector<std::string> names = preset_names();
  for (std::string& chip : chip_names()) names.push_back(std::move(chip));
  const std::vector<std::string> near = all_nearest(name, names);
  const bool is_clear = std::ranges::all_of(
      near, [&](const std::string& one) { return family_of(one) == family_of(near[0]); });
  Diagnostic out =
      error(DiagnosticKind::kTarget, cat("--target ", name, ": there is no such target"));
  if (is_clear) out = suggest(std::move(out), name, near);
  return std::move(out).note(
      "a target is a preset, a chip or a board that `hlocc targets` lists, or an LLVM triple; "
      "presets are " +
      join(preset_names(), ", "));
}

const BackendInfo* row_of(const std::string& backend) {
  for (const BackendInfo& row : backends())
    if (row.name == backend) return &row;
  return nullptr;
}

// Whether flags change a preset's core.
bool changes_core(const CommandLine& line) {
  return line.has_cpu || line.has_features || line.float_abi != FloatAbi::kDefault;
}

// A row that the user's own compiler serves: LLVM is not asked.
Result<Target> row_of_compiler(const Target& row, const CommandLine& line) {
  if (changes_core(line))
    return error(DiagnosticKind::kTarget,
                 cat("--cpu, --features and --float-abi change nothing in C: ", row.name,
                     " is compiled by a compiler of yours, which takes them"));
  if (!line.backend.empty() && line.backend != row.backend)
    return error(DiagnosticKind::kTarget, cat("--backend ", line.backend, ": ", row.name,
                                              " is served by --backend ", row.backend, " alone"));
  return row;
}

#ifdef HLOCC_LLVM
// A preset with another processor, features or float ABI is the row of its triple with these; what
// is the machine's around the core stays: names, board, system, code model, helpers.
Result<Target> changed_preset(const Target& row, const CommandLine& line) {
  std::string features = row.features;
  if (!line.features.empty()) features += (features.empty() ? "" : ",") + line.features;
  const FloatAbi abi = line.float_abi == FloatAbi::kDefault ? row.float_abi : line.float_abi;
  HLOCC_TRY_ASSIGN(Target out, backends::target_for_triple(
                                   row.triple, line.has_cpu ? line.cpu : row.cpu, features, abi));
  out.name = row.name;
  out.board = row.board;
  out.backend = row.backend;
  if (out.abi.empty()) out.abi = row.abi;
  out.code_model = row.code_model;
  out.bare_metal = row.bare_metal;
  out.position_independent = row.position_independent;
  out.helper_symbols = row.helper_symbols;
  out.assumed.clear();
  return backends::complete_target(out);
}

Result<Target> target_with(const std::string& name, const CommandLine& line) {
  const std::optional<Target> row = preset(name);
  if (!row) {
    Result<Target> generic =
        backends::target_for_triple(name, line.cpu, line.features, line.float_abi);
    // What LLVM does not know as a triple may be a misspelt preset.
    if (!generic && generic.error().message.starts_with("unknown target")) return unknown(name);
    return generic;
  }
  if (row->backend != "cpu") return row_of_compiler(*row, line);
  if (row->triple.empty()) {
    Target host = *row;
    host.cpu = line.cpu;
    host.features = line.features;
    host.float_abi = line.float_abi;
    return backends::complete_target(host);
  }
  return changes_core(line) ? changed_preset(*row, line) : backends::complete_target(*row);
}
#else
// Without LLVM there are the rows as they stand, and this machine's by its C compiler.
Result<Target> target_with(const std::string& name, const CommandLine& line) {
  const std::optional<Target> row = preset(name);
  if (!row) return unknown(name);
  if (row->backend != "cpu") return row_of_compiler(*row, line);
  if (changes_core(line))
    return error(DiagnosticKind::kTarget,
                 "--cpu, --features and --float-abi need a build with LLVM");
  return row->triple.empty() ? host_from_macros(host_macros()) : *row;
}
#endif

// A preset, a triple, or a chip: its core with its memories, unless a budget stands for them.
Result<Target> target_called(const std::string& name, const CommandLine& line) {
  const Chip* chip = find_chip(name);
  if (chip == nullptr) return target_with(name, line);
  HLOCC_TRY_ASSIGN(const Target core, target_with(std::string(chip->core), line));
  Target out = on_chip(core, *chip);
  if (line.budgets.ram >= 0) out.ram_bytes = line.budgets.ram;
  if (line.budgets.flash >= 0) out.flash_bytes = line.budgets.flash;
  return out;
}

}  // namespace

Result<Target> find_target(const std::string& name) {
  if (name.empty()) return unknown(name);
  return target_called(name, {});
}

Result<Target> resolve_target(const std::string& name, const CommandLine& line) {
  if (name.empty()) return unknown(name);
  HLOCC_TRY_ASSIGN(Target target, target_called(name, line));
  target.options = line.options;
#ifndef HLOCC_LLVM
  if (target.backend == "cpu") target.backend = "c";
#endif
  if (!line.backend.empty()) target.backend = line.backend;
  // Other backends say nothing of instructions to the chip, unless their own rule knows some.
  const BackendInfo* row = row_of(target.backend);
  if (row != nullptr && row->target != nullptr)
    target = row->target(std::move(target));
  else if (target.backend != "cpu")
    target.isa = {};
  if (!line.board.empty()) target.board = line.board;
  HLOCC_TRY(fill_memories(target.options.memories, target));
  if (!target.options.weights_memory.empty() && target.constants_apart)
    return error(DiagnosticKind::kUsage, cat("--weights-in: ", target.name,
                                             " reads weights by instructions of flash alone"))
        .note("--memory without --weights-in");
  if (!target.options.memories.empty() && target.backend != "cpu" && target.backend != "c")
    return error(DiagnosticKind::kUsage,
                 cat("--memory: the backend ", target.backend, " knows one arena"))
        .note("--backend cpu and --backend c know several memories");
  return target;
}

std::set<package::Emit> default_files(const Target& target) {
  std::set<package::Emit> out;
  const BackendInfo* backend = row_of(target.backend);
  if (backend == nullptr) return out;
  const std::vector<std::string> made = split(backend->emits, ',');
  for (const package::EmitInfo& row : package::emit_table()) {
    const bool is_header = row.emit == package::Emit::kHeader;
    if (row.name == made[0] || (is_header && std::ranges::find(made, row.name) != made.end()))
      out.insert(row.emit);
  }
  return out;
}

std::set<package::Emit> emitted_files(const CommandLine& line, const Target& target) {
  return line.compile.has_emit ? line.compile.emit : default_files(target);
}

}  // namespace hlocc::driver
