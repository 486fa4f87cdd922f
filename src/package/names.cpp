// See names.h. The order is: what the class, prefix and stem are called, the leaves, who shares
// memory with whom, the names that the user gave to leaves.
#include "package/names.h"

#include <algorithm>
#include <set>

#include "hlo/leaves.h"
#include "package/identifiers.h"
#include "package/stream_option.h"
#include "package/taken_names.h"
#include "support/number.h"
#include "support/suggest.h"
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
  if (const std::optional<std::string> what = shadowed_by(out))
    return error(DiagnosticKind::kUsage, cat("--name ", name, ": ", *what))
        .note("choose another name");
  return {};
}

void name_after_stem(Signature& out, const std::string& stem) {
  out.stem = stem;
  out.prefix = stem + "_";
  out.class_name = to_camel_case(stem);
}

// "kws.v1.snapshot.pb" -> "kws.v1".
std::string_view without_model_suffixes(std::string_view file) {
  constexpr std::string_view suffixes[] = {".hlo",    ".txt",  ".pb",  ".snapshot",
                                           ".tflite", ".onnx", ".mlir"};
  for (bool found = true; found;) {
    found = false;
    for (std::string_view suffix : suffixes)
      if (file.ends_with(suffix)) {
        file.remove_suffix(suffix.size());
        found = true;
      }
  }
  return file;
}

// Names that exporters number: they say nothing, and change with the order of the arguments.
bool is_numbered(std::string_view name) {
  const size_t letters = std::min(name.find_first_of("0123456789."), name.size());
  std::string_view word = name.substr(0, letters);
  while (word.ends_with('_')) word.remove_suffix(1);
  if (name.find_first_not_of("0123456789.", letters) != std::string_view::npos) return false;
  for (std::string_view generic : {"", "Arg", "arg", "p", "param", "parameter", "Parameter"})
    if (word == generic) return true;
  return false;
}

// What HLO calls the parameter: where it came from in the program (x, s['gain']), else the
// instruction's name.
std::string hlo_name_of(const hlo::Instruction& parameter) {
  if (!parameter.metadata.op_name.empty()) return parameter.metadata.op_name;
  return is_numbered(parameter.name) ? "" : parameter.name;
}

// The leaf's place in the parameter's tuple: ".1.0", nothing for an array.
void append_paths(const Shape& shape, const std::string& path, std::vector<std::string>& out) {
  if (!shape.is_tuple() && !shape.is_token()) out.push_back(path);
  for (size_t i = 0; i < shape.tuple.size(); ++i)
    append_paths(shape.tuple[i], cat(path, ".", i), out);
}

// s['gain'] -> s_gain, x.3 -> x_3: one underscore for each stretch of other characters.
std::string identifier_of(std::string_view hlo_name) {
  if (is_c_identifier(hlo_name)) return std::string(hlo_name);
  std::string out;
  for (char c : hlo_name) {
    const bool is_word = is_c_identifier(std::string{'_', c}) && c != '_';
    if (is_word || (!out.empty() && !out.ends_with('_'))) out += is_word ? c : '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out.empty() ? out : to_c_identifier(out);
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
    first += static_cast<int>(hlo::leaves_before(*shape, step));
    shape = &shape->tuple[step];
  }
  return LeafRange{first, static_cast<int>(hlo::leaf_count(*shape))};
}

std::optional<LeafRange> parameter_leaves(const hlo::Module& module, const hlo::Alias& alias) {
  if (alias.parameter < 0 ||
      alias.parameter >= static_cast<int64_t>(module.entry_parameters.size()))
    return std::nullopt;
  int first = 0;
  for (int64_t before = 0; before < alias.parameter; ++before)
    first += static_cast<int>(hlo::leaf_count(module.entry_parameters[before]));
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
    const std::string request = cat(flag, " ", index, "=", name);
    if (index < 0 || index >= static_cast<int>(leaves.size()))
      return error(DiagnosticKind::kUsage, cat(request, ": there is no such leaf"))
          .note(cat("the model has ", leaves.size(),
                    flag == std::string("--arg") ? " argument" : " result",
                    leaves.size() == 1 ? "" : "s", ", counted from 0"));
    if (!is_c_identifier(name))
      return error(DiagnosticKind::kUsage, cat(request, ": '", name, "' is no C identifier"));
    if (!taken.insert(name).second)
      return error(DiagnosticKind::kUsage, cat(request, ": the name is given twice"));
    leaves[index].name = name;
  }
  return {};
}

// Names that HLO gives, for leaves that the user did not name; a donated result is called after its
// argument. A name that two leaves would have goes to neither, and one whose accessors would clash
// with others' is left out: leaves answer to argI and resultI all the same.
void apply_hlo_names(Signature& out, const std::vector<std::string>& hlo_names,
                     const std::vector<std::string>& result_names, Members members) {
  std::map<std::string, int> wanted;
  for (const Leaf& leaf : out.arguments)
    ++wanted[leaf.name.empty() ? identifier_of(hlo_names[leaf.index]) : leaf.name];
  const auto try_name = [&](Leaf& leaf, const std::string& name, std::string_view kind) {
    if (!name.empty() && leaf.name.empty() && members.take_if_free(named_bases(leaf, name, kind)))
      leaf.name = name;
  };
  for (Leaf& leaf : out.arguments)
    if (const std::string name = identifier_of(hlo_names[leaf.index]); wanted[name] == 1)
      try_name(leaf, name, "arg");
  for (Leaf& leaf : out.results)
    if (leaf.donated) try_name(leaf, out.arguments[leaf.partner].name, "result");
  for (Leaf& leaf : out.results)
    if (std::ranges::count(result_names, result_names[leaf.index]) == 1)
      try_name(leaf, identifier_of(result_names[leaf.index]), "result");
}

// HLO has no names of results; a reader that knows them leaves them with the root, one a leaf:
// result_name.2="y".
std::vector<std::string> hlo_result_names(const hlo::Module& module, size_t count) {
  std::vector<std::string> out(count);
  if (module.entry == hlo::kNone || module.entry_computation().root == hlo::kNone) return out;
  const auto& notes = module.entry_computation().root_instruction().frontend_attributes;
  for (size_t i = 0; i < count; ++i)
    if (const auto note = notes.find(cat("result_name.", i)); note != notes.end())
      out[i] = note->second;
  return out;
}

}  // namespace

std::string stem_of_file(std::string_view path, const hlo::Module& module) {
  std::string_view file = path;
  if (const size_t slash = file.rfind('/'); slash != std::string_view::npos)
    file.remove_prefix(slash + 1);
  file = without_model_suffixes(file);
  if (path == "-" || file.empty()) file = module.name;
  Signature names;
  name_after_stem(names, to_c_identifier(file));
  const bool is_taken = shadowed_by(names) || is_member_of_every_class(names.class_name);
  return is_taken ? names.stem + "_model" : names.stem;
}

std::string stem_of_class(std::string_view name) {
  const size_t colons = name.rfind("::");
  return to_snake_case(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

std::vector<std::string> hlo_argument_names(const hlo::Module& module) {
  std::vector<std::string> out;
  const bool has_entry = module.entry != hlo::kNone;
  for (size_t p = 0; p < module.entry_parameters.size(); ++p) {
    const std::string name =
        has_entry && p < module.entry_computation().parameters.size()
            ? hlo_name_of(module.entry_computation()[module.entry_computation().parameters[p]])
            : "";
    std::vector<std::string> paths;
    append_paths(module.entry_parameters[p], "", paths);
    for (const std::string& path : paths) out.push_back(name.empty() ? "" : name + path);
  }
  return out;
}

namespace {

// The leaf that HLO calls so.
Result<int> leaf_called(const std::string& which, const std::vector<std::string>& hlo_names,
                        const std::string& request) {
  std::vector<std::string> known;
  std::vector<int> found;
  for (size_t i = 0; i < hlo_names.size(); ++i) {
    if (!hlo_names[i].empty()) known.push_back(hlo_names[i]);
    if (hlo_names[i] == which) found.push_back(static_cast<int>(i));
  }
  if (found.size() == 1) return found[0];
  if (!found.empty())
    return error(DiagnosticKind::kUsage,
                 cat(request, ": HLO calls ", found.size(), " leaves ", which))
        .note("say which one by its number: " + join(found, ", "));
  Diagnostic none = suggest(
      error(DiagnosticKind::kUsage, cat(request, ": HLO calls no leaf ", which)), which, known);
  return std::move(none).note(known.empty() ? "HLO has no names for these leaves: say I=NAME"
                                            : "its names are " + join(known, ", "));
}

}  // namespace

Result<std::map<int, std::string>> names_by_leaf(const std::map<std::string, std::string>& requests,
                                                 const std::vector<std::string>& hlo_names,
                                                 const char* flag) {
  std::map<int, std::string> out;
  for (const auto& [which, name] : requests) {
    const std::string request = cat(flag, " ", which, "=", name);
    const std::optional<int> number = to_count(which);
    HLOCC_TRY_ASSIGN(const int leaf,
                     number ? Result<int>(*number) : leaf_called(which, hlo_names, request));
    if (!out.emplace(leaf, name).second)
      return error(DiagnosticKind::kUsage, cat(request, ": leaf ", leaf, " has a name already"));
  }
  return out;
}

Result<Signature> make_library_signature(const std::string& name) {
  Signature out;
  HLOCC_TRY(name_after_class(out, name));
  out.macro_prefix = to_upper(out.prefix);
  return out;
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
  HLOCC_TRY_ASSIGN(Members members, check_identifiers(out));
  apply_hlo_names(out, hlo_argument_names(module), hlo_result_names(module, out.results.size()),
                  std::move(members));
  if (options.stream) apply_stream(out, *options.stream);
  for (const MemoryOption& memory : options.memories) out.memories.push_back(memory.name);
  return out;
}

}  // namespace hlocc::package
