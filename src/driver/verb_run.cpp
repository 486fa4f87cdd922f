// `hlocc run`: a snapshot on its own arguments, or a module on .npy files; results printed, or
// written as a literal or as .npy files. Nothing is compared: that is what verify does.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/execute.h"
#include "driver/load.h"
#include "driver/verbs.h"
#include "import/file.h"
#include "import/npy.h"
#include "import/writer.h"
#include "ops/literal_text.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using hlo::Literal, hlo::Shape;

// A leaf of the entry's parameters and what the user may call it.
struct InputLeaf {
  Shape shape;
  std::vector<std::string> names;
  std::optional<Literal> value;
};

std::vector<InputLeaf> input_leaves(const hlo::Module& module) {
  const hlo::Computation& entry = module.entry_computation();
  std::vector<InputLeaf> out;
  for (size_t p = 0; p < module.entry_parameters.size(); ++p) {
    const std::vector<Shape> shapes = leaf_shapes(module.entry_parameters[p]);
    for (const Shape& shape : shapes) {
      InputLeaf leaf{shape, {cat("arg", out.size()), cat(out.size())}, std::nullopt};
      if (shapes.size() == 1) leaf.names.push_back(entry[entry.parameters[p]].name);
      out.push_back(std::move(leaf));
    }
  }
  return out;
}

Status read_input(const std::string& wish, std::vector<InputLeaf>& inputs) {
  const size_t equal = wish.find('=');
  if (equal == std::string::npos)
    return error(DiagnosticKind::kUsage, cat("--input ", wish, ": it is NAME=FILE.npy"));
  const std::string name = wish.substr(0, equal), path = wish.substr(equal + 1);
  for (InputLeaf& input : inputs) {
    if (std::find(input.names.begin(), input.names.end(), name) == input.names.end()) continue;
    HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
    Result<Literal> value = import::read_npy(bytes, input.shape);
    if (!value) {
      if (value.error().location.file.empty()) value.error().location.file = path;
      return std::move(value).error();
    }
    input.value = std::move(*value);
    return {};
  }
  std::vector<std::string> known;
  for (const InputLeaf& input : inputs) known.push_back(input.names.back());
  return error(DiagnosticKind::kUsage, cat("--input ", wish, ": the model has no argument ", name))
      .note("arguments are " + join(known, ", "));
}

// The snapshot's arguments, with those of --input in their place.
Result<std::vector<Literal>> gather_arguments(const import::Imported& imported,
                                              const CommandLine& line) {
  std::vector<InputLeaf> inputs = input_leaves(imported.module);
  if (imported.snapshot) {
    size_t at = 0;
    for (const Literal& argument : imported.snapshot->arguments)
      for (Literal& leaf : leaves(argument))
        if (at < inputs.size()) inputs[at++].value = std::move(leaf);
  }
  for (const std::string& wish : line.inputs) HLOCC_TRY(read_input(wish, inputs));
  std::vector<Literal> flat;
  std::vector<std::string> missing;
  for (InputLeaf& input : inputs) {
    if (!input.value)
      missing.push_back(cat(input.names.back(), " (", input.shape, ")"));
    else
      flat.push_back(std::move(*input.value));
  }
  if (!missing.empty())
    return error(DiagnosticKind::kArgument,
                 "the model has no values for its arguments: " + join(missing, ", "))
        .note("give each as --input NAME=FILE.npy, or run a snapshot, which holds its arguments");
  std::vector<Literal> out;
  std::span<const Literal> rest = flat;
  for (const Shape& parameter : imported.module.entry_parameters) {
    const size_t count = leaf_shapes(parameter).size();
    out.push_back(unflatten(parameter, rest.first(count)));
    rest = rest.subspan(count);
  }
  return out;
}

Status write_output(const Literal& result, const std::string& path) {
  std::vector<package::Placed> files;
  if (path.ends_with('/') || fs::is_directory(path)) {
    for (const Literal& leaf : leaves(result))
      files.push_back({path, {cat("result", files.size(), ".npy"), import::write_npy(leaf)}});
  } else {
    const fs::path file(path);
    const std::string folder = file.parent_path().empty() ? "." : file.parent_path().string();
    files.push_back({folder, {file.filename().string(), import::write_literal(result)}});
  }
  return package::write_files(files);
}

void print_result(const Literal& result) {
  int index = 0;
  for (const Literal& leaf : leaves(result)) {
    std::string text = cat("result", index++, " ", leaf.shape(), " ");
    ops::append_literal(text, leaf);
    std::printf("%s\n", text.c_str());
  }
}

}  // namespace

Result<int> verb_run(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_model(line.models[0]));
  HLOCC_TRY_ASSIGN(const std::vector<Literal> arguments, gather_arguments(imported, line));
  const std::string backend = line.backend.empty() ? default_way() : line.backend;
  HLOCC_TRY_ASSIGN(const Literal result,
                   execute(imported.module, arguments, backend, line.options));
  if (!line.output.empty()) HLOCC_TRY(write_output(result, line.output));
  if (line.print || line.output.empty()) print_result(result);
  return 0;
}

}  // namespace hlocc::driver
