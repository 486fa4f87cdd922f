// See values.h.
#include "driver/run/values.h"

#include <algorithm>
#include <optional>

#include "driver/run/execute.h"
#include "hlo/leaves.h"
#include "import/file.h"
#include "import/npy.h"
#include "package/names.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Literal, hlo::Shape;

// A leaf of the entry's parameters or of its result, and what the user may call it; the first name
// is what messages call it.
struct NamedLeaf {
  Shape shape;
  std::vector<std::string> names;
  std::optional<Literal> value;
};

std::vector<NamedLeaf> argument_leaves(const hlo::Module& module) {
  const hlo::Computation& entry = module.entry_computation();
  const std::vector<std::string> hlo_names = package::hlo_argument_names(module);
  const std::vector<std::string> shown = package::leaf_names(module).arguments;
  std::vector<NamedLeaf> out;
  for (size_t p = 0; p < module.entry_parameters.size(); ++p) {
    const std::vector<Shape> shapes = leaf_shapes(module.entry_parameters[p]);
    for (const Shape& shape : shapes) {
      NamedLeaf leaf{
          shape, {shown[out.size()], cat("arg", out.size()), cat(out.size())}, std::nullopt};
      if (!hlo_names[out.size()].empty()) leaf.names.push_back(hlo_names[out.size()]);
      if (shapes.size() == 1) leaf.names.push_back(entry[entry.parameters[p]].name);
      out.push_back(std::move(leaf));
    }
  }
  return out;
}

std::vector<NamedLeaf> result_leaves(const hlo::Module& module) {
  const std::vector<std::string> shown = package::leaf_names(module).results;
  std::vector<NamedLeaf> out;
  for (const Shape& shape : leaf_shapes(module.entry_result))
    out.push_back(
        {shape, {shown[out.size()], cat(out.size()), cat("result", out.size())}, std::nullopt});
  return out;
}

// `kind`: argument or result.
Status read_value(const std::string& flag, const std::string& request, const char* kind,
                  std::vector<NamedLeaf>& all) {
  // A name may hold '=', a path seldom does: names of the model decide.
  std::vector<std::string> known, shown;
  for (const NamedLeaf& leaf : all) {
    known.insert(known.end(), leaf.names.begin(), leaf.names.end());
    shown.push_back(leaf.names.front());
  }
  for (NamedLeaf& leaf : all) {
    for (const std::string& name : leaf.names) {
      if (!request.starts_with(name + "=")) continue;
      const std::string path = request.substr(name.size() + 1);
      HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
      Result<Literal> value = import::read_npy(bytes, leaf.shape);
      if (!value) {
        if (value.error().location.file.empty()) value.error().location.file = path;
        return std::move(value).error();
      }
      leaf.value = std::move(*value);
      return {};
    }
  }
  const size_t equal = request.find('=');
  if (equal == std::string::npos)
    return error(DiagnosticKind::kUsage, cat(flag, " ", request, ": it is NAME=FILE.npy"));
  const std::string name = request.substr(0, equal);
  return suggest(error(DiagnosticKind::kUsage, cat(flag, " ", request, ": the model has no ",
                                                   std::string(kind), " ", name)),
                 name, known)
      .note(cat(std::string(kind), "s are ", join(shown, ", ")));
}

void take_leaves(const Literal& literal, std::vector<NamedLeaf>& all, size_t& at) {
  for (Literal& leaf : leaves(literal))
    if (at < all.size()) all[at++].value = std::move(leaf);
}

bool fits(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  for (pattern.remove_prefix(star + 1);; name.remove_prefix(1)) {
    if (fits(pattern, name)) return true;
    if (name.empty()) return false;
  }
}

// All leaves that a pattern of --freeze names get what stands in the snapshot; `from` has the same
// leaves.
Status take_matching(const std::string& pattern, const std::vector<NamedLeaf>& from,
                     std::vector<NamedLeaf>& all) {
  bool is_found = false;
  std::vector<std::string> shown;
  for (size_t i = 0; i < all.size(); ++i) {
    shown.push_back(all[i].names.front());
    if (std::ranges::none_of(all[i].names, [&](const std::string& n) { return fits(pattern, n); }))
      continue;
    is_found = true;
    if (!from[i].value || from[i].value->shape().element_type != all[i].shape.element_type ||
        from[i].value->shape().dimensions != all[i].shape.dimensions)
      return error(DiagnosticKind::kArgument,
                   cat("--freeze ", pattern, ": the snapshot of --from has no value of the shape ",
                       all[i].shape, " for ", all[i].names.front()));
    all[i].value = from[i].value;
  }
  if (is_found) return {};
  return error(DiagnosticKind::kUsage, cat("--freeze ", pattern, ": no argument is called so"))
      .note("arguments are " + join(shown, ", "));
}

}  // namespace

Result<std::vector<std::optional<Literal>>> frozen_values(
    const hlo::Module& module, const std::vector<std::string>& requests,
    const std::optional<import::Snapshot>& from) {
  std::vector<NamedLeaf> all = argument_leaves(module), given = all;
  size_t at = 0;
  if (from)
    for (const Literal& argument : from->arguments) take_leaves(argument, given, at);
  for (const std::string& request : requests) {
    const bool is_file = std::ranges::any_of(all, [&](const NamedLeaf& leaf) {
      return std::ranges::any_of(
          leaf.names, [&](const std::string& n) { return request.starts_with(n + "="); });
    });
    if (is_file || (!from && request.find('=') != std::string::npos)) {
      HLOCC_TRY(read_value("--freeze", request, "argument", all));
    } else if (!from) {
      return error(DiagnosticKind::kUsage, cat("--freeze ", request, ": it says no values"))
          .note("--freeze NAME=FILE.npy, or --freeze 'PATTERN' --from SNAPSHOT");
    } else {
      HLOCC_TRY(take_matching(request, given, all));
    }
  }
  std::vector<std::optional<Literal>> out;
  for (NamedLeaf& leaf : all) out.push_back(std::move(leaf.value));
  return out;
}

Result<std::vector<Literal>> gather_arguments(const import::Imported& imported,
                                              const std::vector<std::string>& inputs) {
  std::vector<NamedLeaf> all = argument_leaves(imported.module);
  if (imported.snapshot) {
    size_t at = 0;
    for (const Literal& argument : imported.snapshot->arguments) take_leaves(argument, all, at);
  }
  for (const std::string& request : inputs)
    HLOCC_TRY(read_value("--input", request, "argument", all));
  std::vector<Literal> flat;
  std::vector<std::string> missing;
  for (NamedLeaf& leaf : all) {
    if (!leaf.value)
      missing.push_back(cat(leaf.names.front(), " (", leaf.shape, ")"));
    else
      flat.push_back(std::move(*leaf.value));
  }
  if (!missing.empty())
    return error(DiagnosticKind::kArgument,
                 "the model has no values for its arguments: " + join(missing, ", "))
        .note("give each as --input NAME=FILE.npy, or use a snapshot, which holds its arguments");
  std::vector<Literal> out;
  std::span<const Literal> rest = flat;
  for (const Shape& parameter : imported.module.entry_parameters) {
    const size_t count = hlo::leaf_count(parameter);
    out.push_back(unflatten(parameter, rest.first(count)));
    rest = rest.subspan(count);
  }
  return out;
}

Result<Literal> gather_expected(const import::Imported& imported,
                                const std::vector<Literal>& arguments,
                                const std::vector<std::string>& expected) {
  std::vector<NamedLeaf> all = result_leaves(imported.module);
  for (const std::string& request : expected)
    HLOCC_TRY(read_value("--expect", request, "result", all));
  std::vector<NamedLeaf> otherwise = all;
  const bool is_complete = std::all_of(
      all.begin(), all.end(), [](const NamedLeaf& leaf) { return leaf.value.has_value(); });
  if (!is_complete) {
    size_t at = 0;
    // Arguments of the user's own have another result than the snapshot's.
    HLOCC_TRY_ASSIGN(const Literal computed,
                     execute(imported.module, arguments, "interpreter", Options{}));
    take_leaves(computed, otherwise, at);
  }
  std::vector<Literal> flat;
  for (size_t i = 0; i < all.size(); ++i)
    flat.push_back(std::move(*(all[i].value ? all[i].value : otherwise[i].value)));
  return unflatten(imported.module.entry_result, flat);
}

}  // namespace hlocc::driver
