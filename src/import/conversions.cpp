// See conversions.h.
#include "import/conversions.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

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
std::string output_of(const std::string& file, const char* ending = ".hlo.pb") {
  std::string name = fs::path(shown(file)).filename().string();
  name = name.substr(0, name.find('.'));
  return (name.empty() ? "model" : name) + ending;
}

// Python that writes what `module` gives to the output of `file`.
std::string written(const std::string& file, const std::string& bytes) {
  return cat("open('", output_of(file), "', 'wb').write(", bytes, ")\"");
}

std::string lowered(const std::string& function, const std::string& arguments) {
  return cat("jax.jit(", function, ").lower(", arguments,
             ").compiler_ir('hlo').as_serialized_hlo_module_proto()");
}

}  // namespace

std::vector<std::string> from_stablehlo_bytecode(const std::string& file) {
  return {
      cat("print it as text with Python's jax: python3 -c \"from jax.interpreters import mlir; "
          "from jaxlib.mlir import ir; from jaxlib.mlir.dialects import stablehlo; c = "
          "mlir.make_ir_context(); b = open('",
          shown(file), "', 'rb').read(); open('", output_of(file, ".mlir"),
          "', 'w').write(str(stablehlo.deserialize_portable_artifact(c, b) if b'StableHLO_v' "
          "in b[:64] else ir.Module.parse(b, c)))\"")};
}

std::vector<std::string> from_jax_export(const std::string& file) {
  return {
      cat("print it as text with Python's jax and flatbuffers: python3 -c \"import jax.export; "
          "open('",
          output_of(file, ".mlir"), "', 'w').write(jax.export.deserialize(bytearray(open('",
          shown(file), "', 'rb').read())).mlir_module())\"")};
}

std::vector<std::string> from_saved_model(const std::string& folder) {
  return {cat("with Python's tensorflow: python3 -c \"import tensorflow as tf; from "
              "tensorflow.python.framework.convert_to_constants import "
              "convert_variables_to_constants_v2 as freeze; m = tf.saved_model.load('",
              shown(folder),
              "'); f = freeze(m.signatures['serving_default']); x = [tf.zeros([d or 1 for d in "
              "t.shape], t.dtype) for t in f.inputs]; ",
              written(folder,
                      "tf.function(f, jit_compile=True).experimental_get_compiler_ir(*x)"
                      "('hlo_serialized')")),
          "sizes that the model leaves open become 1"};
}

std::vector<std::string> from_keras(const std::string& file) {
  return {
      cat("with Python's keras, jax and h5py: KERAS_BACKEND=jax python3 -c \"import jax, keras; "
          "m = keras.saving.load_model('",
          shown(file),
          "'); x = [jax.ShapeDtypeStruct([d or 1 for d in t.shape], t.dtype) for t in "
          "m.inputs]; f = lambda *x: m(list(x) if len(x) > 1 else x[0], training=False); ",
          written(file, lowered("f", "*x"))),
      "sizes that the model leaves open become 1; a file of weights alone holds no program"};
}

std::vector<std::string> from_torch(const std::string&) {
  return {
      "it holds weights and names of Python classes, no program that others can read: "
      "torch.onnx.export writes ONNX from the model in Python, which hlocc reads"};
}

std::vector<std::string> from_pickle(const std::string&) {
  return {
      "it holds objects of Python's, no program: export the function that uses them; arrays saved "
      "as .npy are values for --input and --freeze"};
}

}  // namespace hlocc::import
