// See names.h. The order is: what the class, prefix and stem are called, the leaves, who shares
// memory with whom, the names that the user gave to leaves.
#include "package/names.h"

#include <algorithm>
#include <set>

#include "package/identifiers.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

using hlo::Shape;
using kernel::Leaf;
using kernel::Signature;

Status check_class_path(const std::string& name, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (!is_c_identifier(part))
      return error(DiagnosticKind::kUsage,
                   cat("--name ", name, ": '", part, "' is no C identifier"))
          .note("a class name looks like Kws or acme::Kws");
    if (is_cpp_keyword(part))
      return error(DiagnosticKind::kUsage,
                   cat("--name ", name, ": '", part, "' is a keyword of C++"));
  }
  return {};
}

Status name_after_class(Signature& out, const std::string& name) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find("::", begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 2;
  }
  HLOCC_TRY(check_class_path(name, parts));
  out.class_name = name;
  for (const std::string& part : parts) out.prefix += to_snake_case(part) + "_";
  out.stem = stem_of_class(name);
  return {};
}

void name_after_stem(Signature& out, const std::string& stem) {
  out.stem = stem;
  out.prefix = stem + "_";
  out.class_name = to_camel_case(stem);
}

Result<std::vector<Leaf>> make_leaves(const std::vector<Shape>& roots, const char* what) {
  std::vector<Leaf> out;
  for (const Shape& root : roots) {
    for (const Shape& shape : leaf_shapes(root)) {
      Leaf leaf;
      leaf.index = static_cast<int>(out.size());
      leaf.shape = shape;
      if (!shape.is_array())
        return error(DiagnosticKind::kUnsupported, cat(what, " ", leaf.index, " has the type ",
                                                       shape, ", which has no equivalent in C"));
      out.push_back(std::move(leaf));
    }
  }
  return out;
}

struct LeafRange {
  int first = 0, count = 0;
};

// The leaves below one node of a shape's tree, counted from `first`; nothing if the path leads
// nowhere.
std::optional<LeafRange> leaves_below(const Shape& root, const hlo::Dimensions& path, int first) {
  const Shape* shape = &root;
  for (int64_t step : path) {
    if (!shape->is_tuple() || step < 0 || step >= static_cast<int64_t>(shape->tuple.size()))
      return std::nullopt;
    for (int64_t before = 0; before < step; ++before)
      first += static_cast<int>(leaf_shapes(shape->tuple[before]).size());
    shape = &shape->tuple[step];
  }
  return LeafRange{first, static_cast<int>(leaf_shapes(*shape).size())};
}

std::optional<LeafRange> parameter_leaves(const hlo::Module& module, const hlo::Alias& alias) {
  if (alias.parameter < 0 ||
      alias.parameter >= static_cast<int64_t>(module.entry_parameters.size()))
    return std::nullopt;
  int first = 0;
  for (int64_t before = 0; before < alias.parameter; ++before)
    first += static_cast<int>(leaf_shapes(module.entry_parameters[before]).size());
  return leaves_below(module.entry_parameters[alias.parameter], alias.parameter_index, first);
}

Diagnostic bad_alias(const hlo::Alias& alias, const std::string& why) {
  return error(
      DiagnosticKind::kStructure,
      cat("input_output_alias of result {", join(alias.output_index, ", "), "} and parameter ",
          alias.parameter, " {", join(alias.parameter_index, ", "), "}: ", why));
}

Status pair(Leaf& argument, Leaf& result, const hlo::Alias& alias) {
  if (argument.bytes() != result.bytes())
    return bad_alias(alias, cat("sizes differ, ", result.shape, " and ", argument.shape));
  if (argument.donated || result.donated)
    return bad_alias(alias, "one of them is in another pair already");
  argument.donated = result.donated = true;
  argument.partner = result.index;
  result.partner = argument.index;
  return {};
}

Status apply_aliases(Signature& signature, const hlo::Module& module) {
  for (const hlo::Alias& alias : module.aliases) {
    const std::optional<LeafRange> arguments = parameter_leaves(module, alias);
    const std::optional<LeafRange> results =
        leaves_below(module.entry_result, alias.output_index, 0);
    if (!arguments || !results) return bad_alias(alias, "there is no such place");
    if (arguments->count != results->count)
      return bad_alias(alias, "the two have different numbers of arrays");
    for (int i = 0; i < arguments->count; ++i)
      HLOCC_TRY(pair(signature.arguments[arguments->first + i],
                     signature.results[results->first + i], alias));
  }
  return {};
}

// `flag` is --arg or --result.
Status apply_user_names(std::vector<Leaf>& leaves, const std::map<int, std::string>& names,
                        const char* flag) {
  std::set<std::string> taken;
  for (const auto& [index, name] : names) {
    const std::string wish = cat(flag, " ", index, "=", name);
    if (index < 0 || index >= static_cast<int>(leaves.size()))
      return error(DiagnosticKind::kUsage, cat(wish, ": there is no such leaf"))
          .note(cat("the model has ", leaves.size(),
                    flag == std::string("--arg") ? " argument" : " result",
                    leaves.size() == 1 ? "" : "s", ", counted from 0"));
    if (!is_c_identifier(name))
      return error(DiagnosticKind::kUsage, cat(wish, ": '", name, "' is no C identifier"));
    if (!taken.insert(name).second)
      return error(DiagnosticKind::kUsage, cat(wish, ": the name is given twice"));
    leaves[index].name = name;
  }
  return {};
}

}  // namespace

std::string stem_of_file(std::string_view path, const hlo::Module& module) {
  std::string_view file = path;
  if (const size_t slash = file.rfind('/'); slash != std::string_view::npos)
    file.remove_prefix(slash + 1);
  file = file.substr(0, file.find('.'));
  if (path == "-" || file.empty()) file = module.name;
  return to_c_identifier(file);
}

std::string stem_of_class(std::string_view name) {
  const size_t colons = name.rfind("::");
  return to_snake_case(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

Result<Signature> make_signature(const hlo::Module& module, const Options& options) {
  Signature out;
  if (!options.name.empty()) {
    HLOCC_TRY(name_after_class(out, options.name));
  } else {
    HLOCC_CHECK(!options.stem.empty(), "a model without a name and a stem");
    name_after_stem(out, options.stem);
  }
  out.macro_prefix = to_upper(out.prefix);
  HLOCC_TRY_ASSIGN(out.arguments, make_leaves(module.entry_parameters, "argument"));
  HLOCC_TRY_ASSIGN(out.results, make_leaves({module.entry_result}, "result"));
  HLOCC_TRY(apply_aliases(out, module));
  HLOCC_TRY(apply_user_names(out.arguments, options.argument_names, "--arg"));
  HLOCC_TRY(apply_user_names(out.results, options.result_names, "--result"));
  HLOCC_TRY(check_identifiers(out));
  return out;
}

}  // namespace hlocc::package
