// See freeze.h.
#include "driver/pipeline/freeze.h"

#include <algorithm>

#include "driver/cli/notes.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/weight_arguments.h"
#include "driver/pipeline/windows.h"
#include "driver/run/values.h"
#include "hlo/leaves.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Literal, hlo::Module;
using Values = std::vector<std::optional<Literal>>;

std::string shown(const Module& module, size_t leaf) {
  return package::leaf_names(module).arguments[leaf];
}

// Values by parameter, of those that are arrays; errors for what cannot be frozen.
Result<Values> by_parameter(const Module& module, const Values& leaves) {
  Values out;
  size_t at = 0;
  for (size_t p = 0; p < module.entry_parameters.size(); ++p) {
    const size_t count = hlo::leaf_count(module.entry_parameters[p]);
    out.push_back(std::nullopt);
    for (size_t end = at + count; at < end; ++at) {
      if (!leaves[at]) continue;
      const std::string what = cat("--freeze ", shown(module, at), ": ");
      if (!module.entry_parameters[p].is_array())
        return error(DiagnosticKind::kUsage, cat(what, "it is a part of a tuple"))
            .note("export the model with arrays as arguments");
      if (std::ranges::any_of(module.aliases, [&](const hlo::Alias& alias) {
            return alias.parameter == static_cast<int64_t>(p);
          }))
        return error(DiagnosticKind::kUsage,
                     cat(what, "it is donated: every run changes it, as state"));
      out.back() = leaves[at];
    }
  }
  // One that was named is there: the list is not empty.
  if (std::ranges::all_of(out, [](const auto& one) { return one.has_value(); }))
    return error(DiagnosticKind::kUsage, "--freeze: the model would be left without an argument")
        .note("do not freeze the argument that changes from run to run");
  return out;
}

template <typename T>
void drop_frozen(std::vector<T>& items, const Values& frozen) {
  std::vector<T> kept;
  for (size_t i = 0; i < items.size(); ++i)
    if (i >= frozen.size() || !frozen[i]) kept.push_back(std::move(items[i]));
  items = std::move(kept);
}

void make_constants(Module& module, const Values& frozen) {
  hlo::Computation& entry = module.entry_computation();
  std::vector<int64_t> number(frozen.size(), -1);
  int64_t next = 0;
  for (size_t p = 0; p < frozen.size(); ++p) {
    hlo::Instruction& parameter = entry[entry.parameters[p]];
    if (frozen[p]) {
      parameter.opcode = hlo::Opcode::kConstant;
      parameter.attributes = hlo::ConstantAttributes{*frozen[p]};
    } else {
      parameter.get<hlo::ParameterAttributes>().number = number[p] = next++;
    }
  }
  drop_frozen(entry.parameters, frozen);
  drop_frozen(module.entry_parameters, frozen);
  for (hlo::Alias& alias : module.aliases)
    alias.parameter = number[static_cast<size_t>(alias.parameter)];
}

void say(const CommandLine& line, const std::vector<std::string>& frozen, const Module& module) {
  std::vector<std::string> left;
  const size_t count = package::hlo_argument_names(module).size();
  for (size_t i = 0; i < count; ++i) left.push_back(cat(i, " ", shown(module, i)));
  say_note(line, cat("--freeze made constants of ", join(frozen, ", "), "; arguments are now ",
                     join(left, ", ")));
}

struct RoundingWord {
  std::string_view word;
  import::Rounding rounding;
};
constexpr RoundingWord kRoundings[] = {{"tflm", import::Rounding::kTflm},
                                       {"litert", import::Rounding::kLitert},
                                       {"xnnpack", import::Rounding::kXnnpack}};

// Nothing where the user does not say.
std::optional<import::Rounding> rounding_of(std::string_view word) {
  for (const RoundingWord& row : kRoundings)
    if (row.word == word) return row.rounding;
  return std::nullopt;
}

}  // namespace

Status freeze_arguments(const CommandLine& line, import::Imported& imported) {
  if (line.reading.frozen.empty() && line.reading.frozen_from.empty()) return {};
  if (line.reading.frozen.empty())
    return error(DiagnosticKind::kUsage, "--from: there is no --freeze")
        .note("--freeze 'PATTERN' --from SNAPSHOT");
  std::optional<import::Snapshot> from;
  if (!line.reading.frozen_from.empty()) {
    HLOCC_TRY_ASSIGN(import::Imported given,
                     load_model(line.reading.frozen_from, import::Constants::kNeeded));
    if (!given.snapshot)
      return error(DiagnosticKind::kUsage, "--from: it is no snapshot: it holds no arguments")
          .at({line.reading.frozen_from, 0})
          .note("`hlocc snapshot MODEL --input NAME=FILE.npy -o S` makes one");
    from = std::move(given.snapshot);
  }
  Module& module = imported.module;
  std::vector<std::string> names = imported.frozen, requests;
  for (const std::string& request : line.reading.frozen)
    if (std::ranges::none_of(names,
                             [&](const auto& name) { return request.starts_with(name + "="); }))
      requests.push_back(request);
  if (requests.empty()) return say(line, names, module), Status();
  HLOCC_TRY_ASSIGN(const Values leaves, frozen_values(module, requests, from));
  HLOCC_TRY_ASSIGN(const Values frozen, by_parameter(module, leaves));
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
    if (leaves[leaf]) names.push_back(shown(module, leaf));
  make_constants(module, frozen);
  if (imported.snapshot) drop_frozen(imported.snapshot->arguments, frozen);
  say(line, names, module);
  return {};
}

Result<import::Imported> load_frozen(const CommandLine& line, const std::string& path,
                                     import::Constants constants, std::string* sha256) {
  import::Choices choices{.dimensions = line.reading.dimensions,
                          .member = line.reading.member,
                          .signature = line.reading.signature,
                          .rounding = rounding_of(line.reading.rounding)};
  for (const std::string& request : line.reading.frozen)
    if (const size_t equal = request.find('='); equal != std::string::npos)
      choices.frozen[request.substr(0, equal)] = request.substr(equal + 1);
  HLOCC_TRY_ASSIGN(import::Imported out, load_model(path, constants, sha256, choices));
  HLOCC_TRY(freeze_arguments(line, out));
  space_windows(line, out.module);
  return out;
}

}  // namespace hlocc::driver
