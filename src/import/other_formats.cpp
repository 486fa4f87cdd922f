// See other_formats.h. Formats with a magic number are rows of a table; protobufs have none and are
// told by the fields that they must have.
#include "import/other_formats.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "support/folder.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

namespace fs = std::filesystem;

// Commands are shown for this file; one whose name a shell would not take is called MODEL.
std::string shown(const std::string& file) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '/' ||
           c == '-';
  };
  return !file.empty() && std::all_of(file.begin(), file.end(), is_plain) ? file : "MODEL";
}

// Where the HLO goes: the file's name with another ending.
std::string output_of(const std::string& file) {
  std::string name = fs::path(shown(file)).filename().string();
  name = name.substr(0, name.find('.'));
  return (name.empty() ? "model" : name) + ".hlo.pb";
}

std::vector<std::string> from_stablehlo(const std::string& file) {
  return {cat("with Python's jaxlib: python3 -c \"from jaxlib.xla_client import _xla; open('",
              output_of(file), "', 'wb').write(_xla.mlir.mlir_module_to_xla_computation(open('",
              shown(file), "', 'rb').read()).as_serialized_hlo_module_proto())\"")};
}

std::vector<std::string> from_jax_export(const std::string& file) {
  return {cat(
      "in JAX: python3 -c \"import jax, jax.export; e = jax.export.deserialize(bytearray(open('",
      shown(file), "', 'rb').read())); open('", output_of(file),
      "', 'wb').write(jax.jit(e.call).lower(*e.in_avals).compiler_ir('hlo')"
      ".as_serialized_hlo_module_proto())\"")};
}

std::vector<std::string> from_saved_model(const std::string& folder) {
  return {cat(
      "in TensorFlow: python3 -c \"import tensorflow as tf; "
      "f = tf.saved_model.load('",
      shown(folder),
      "').signatures['serving_default']; "
      "x = {n: tf.zeros(s.shape, s.dtype) for n, s in f.structured_input_signature[1].items()}; "
      "g = tf.function(lambda **k: f(**k), jit_compile=True); open('",
      output_of(folder),
      "', 'wb').write(g.experimental_get_compiler_ir(**x)('hlo_serialized'))\"")};
}

std::vector<std::string> from_onnx(const std::string& file) {
  std::vector<std::string> out = {cat("first a SavedModel, with Python's onnx2tf: onnx2tf -i ",
                                      shown(file), " -o saved_model")};
  for (std::string& step : from_saved_model("saved_model"))
    out.push_back("then " + std::move(step));
  return out;
}

struct Magic {
  size_t offset;
  std::string_view bytes;
  std::string_view what;
  std::vector<std::string> (*cures)(const std::string& file);
};
constexpr Magic magics[] = {
    {0, "\xff\xd8\xff", "a JPEG image", nullptr},
    {0, "\x89PNG", "a PNG image", nullptr},
    {0, "\177ELF", "an ELF file", nullptr},
    {0, "PK\x03\x04", "a zip archive (.npz, .keras, .pt, .pth)", nullptr},
    {0, "\x1f\x8b", "gzip data; unpack it first", nullptr},
    {0, "\x93NUMPY", "a NumPy array", nullptr},
    {0, "ML\xefR", "MLIR bytecode (StableHLO)", from_stablehlo},
    {0, "\x89HDF", "an HDF5 file (.h5)", nullptr},
    {0, "!<arch>", "a static library", nullptr},
    {0, "\xff\xfe", "text in UTF-16; save it as UTF-8", nullptr},
    {0, "\xfe\xff", "text in UTF-16; save it as UTF-8", nullptr},
    {0, "\x80\x02", "a Python pickle (.pkl, .joblib, .pt)", nullptr},
    {0, "\x80\x03", "a Python pickle (.pkl, .joblib, .pt)", nullptr},
    {0, "\x80\x04", "a Python pickle (.pkl, .joblib, .pt)", nullptr},
    {0, "\x80\x05", "a Python pickle (.pkl, .joblib, .pt)", nullptr},
};

// onnx.ModelProto: a version, a graph, no field beyond what the format has.
bool is_onnx(Bytes bytes) {
  bool has_version = false, has_graph = false;
  WireReader reader(bytes, true);
  for (WireField field; reader.next(field);) {
    if (field.number == 1) has_version = field.type == WireType::kVarint && field.value < 1000;
    if (field.number == 7) has_graph = field.type == WireType::kLength;
    if (field.number > 40) return false;
  }
  return has_version && has_graph;
}

// tensorflow.SavedModel: its version, which is 1, and graphs that begin with a description.
bool is_saved_model(Bytes bytes) {
  WireReader reader(bytes, true);
  WireField field;
  if (!reader.next(field) || field.number != 1 || field.type != WireType::kVarint ||
      field.value != 1)
    return false;
  if (!reader.next(field) || field.number != 2 || field.type != WireType::kLength) return false;
  WireReader graph(field.payload, true);
  return graph.next(field) && field.number == 1 && field.type == WireType::kLength;
}

// jax.export's FlatBuffer holds a portable artifact of StableHLO.
bool is_jax_export(std::string_view text) {
  const size_t at = text.find("ML\xefR");
  return at != std::string_view::npos &&
         text.substr(at, 32).find("StableHLO_v") != std::string_view::npos;
}

}  // namespace

std::optional<OtherFormat> guess_other_format(Bytes bytes, const std::string& file) {
  const std::string_view text = as_text(bytes);
  for (const Magic& magic : magics)
    if (text.size() > magic.offset && text.substr(magic.offset).starts_with(magic.bytes))
      return OtherFormat{std::string(magic.what),
                         magic.cures != nullptr ? magic.cures(file) : std::vector<std::string>{}};
  if (is_saved_model(bytes)) {
    const std::string folder = fs::path(file).parent_path().string();
    return OtherFormat{"a TensorFlow SavedModel", from_saved_model(folder.empty() ? "." : folder)};
  }
  if (is_onnx(bytes)) return OtherFormat{"an ONNX model", from_onnx(file)};
  if (is_jax_export(text))
    return OtherFormat{"a function that jax.export wrote", from_jax_export(file)};
  return std::nullopt;
}

std::optional<OtherFormat> guess_other_text(std::string_view text, const std::string& file) {
  const std::string_view head = text.substr(0, 1 << 16);
  for (std::string_view sign :
       {"stablehlo.", "func.func", "mhlo.", "builtin.module", "module @", "module {"})
    if (head.find(sign) != std::string_view::npos && !head.starts_with("HloModule"))
      return OtherFormat{"MLIR text (StableHLO)", from_stablehlo(file)};
  return std::nullopt;
}

OtherFormat describe_folder(const std::string& folder) {
  std::error_code none;
  if (fs::exists(fs::path(folder) / "saved_model.pb", none))
    return {"a folder, a TensorFlow SavedModel", from_saved_model(folder)};
  std::vector<std::string> models;
  for (const fs::path& path : paths_in(folder)) {
    const std::string name = path.filename().string();
    if (name.ends_with(".pb") || name.ends_with(".hlo") || name.ends_with(".hlo.txt"))
      models.push_back(path.string());
  }
  if (models.size() > 3) models.resize(3);
  if (models.empty()) return {"a folder, not a file", {}};
  return {"a folder, not a file", {"in it are " + join(models, ", ")}};
}

}  // namespace hlocc::import
