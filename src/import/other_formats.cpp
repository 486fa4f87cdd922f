// See other_formats.h. Formats with a magic number are rows of a table; protobufs have none and are
// told by the fields that they must have.
#include "import/other_formats.h"

#include <filesystem>

#include "import/conversions.h"
#include "support/folder.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

namespace fs = std::filesystem;

struct Magic {
  size_t offset;
  std::string_view bytes;
  std::string_view what;
  std::vector<std::string> (*cures)(const std::string& file);
};
constexpr const char* kPickle = "a Python pickle (.pkl, .joblib)";
constexpr const char* kPacked = "compressed data (.joblib, .gz); unpack it first";
constexpr Magic magics[] = {
    {0, "\xff\xd8\xff", "a JPEG image", nullptr},
    {0, "\x89PNG", "a PNG image", nullptr},
    {0, "\177ELF", "an ELF file", nullptr},
    {0, "\x1f\x8b", kPacked, nullptr},
    {0, "BZh", kPacked, nullptr},
    {0, "\xfd\x37zXZ", kPacked, nullptr},
    {0, "\x78\x01", kPacked, nullptr},
    {0, "\x78\x5e", kPacked, nullptr},
    {0, "\x78\x9c", kPacked, nullptr},
    {0, "\x78\xda", kPacked, nullptr},
    {0, "\x93NUMPY", "a NumPy array", nullptr},
    {0, "ML\xefR", "MLIR bytecode (StableHLO)", from_stablehlo_bytecode},
    {4, "ET12", "an ExecuTorch program (.pte)", from_torch},
    {0, "\x89HDF", "an HDF5 file (.h5), as Keras writes it", from_keras},
    {0, "!<arch>", "a static library", nullptr},
    {0, "\xff\xfe", "text in UTF-16; save it as UTF-8", nullptr},
    {0, "\xfe\xff", "text in UTF-16; save it as UTF-8", nullptr},
    // The number that torch.save wrote first, before it wrote zip archives.
    {0, "\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.", "a PyTorch file (.pt, .pth)", from_torch},
    {0, "\x80\x02", kPickle, from_pickle},
    {0, "\x80\x03", kPickle, from_pickle},
    {0, "\x80\x04", kPickle, from_pickle},
    {0, "\x80\x05", kPickle, from_pickle},
};

// Zip archives are told apart by names of files in them, which stand there as they are.
struct Archive {
  std::string_view member, what;
  std::vector<std::string> (*cures)(const std::string& file);
};
constexpr Archive archives[] = {
    {"model.weights.h5", "a Keras model (.keras)", from_keras},
    {"/data.pkl", "a PyTorch file (.pt, .pth)", from_torch},
    {".npy", "an archive of NumPy arrays (.npz)", from_pickle},
    {"", "a zip archive", nullptr},
};

OtherFormat archive_of(std::string_view text, const std::string& file) {
  for (const Archive& row : archives)
    if (text.find(row.member) != std::string_view::npos)
      return {std::string(row.what),
              row.cures != nullptr ? row.cures(file) : std::vector<std::string>{}};
  return {};
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
  if (text.starts_with("PK\x03\x04")) return archive_of(text, file);
  for (const Magic& magic : magics)
    if (text.size() > magic.offset && text.substr(magic.offset).starts_with(magic.bytes))
      return OtherFormat{std::string(magic.what),
                         magic.cures != nullptr ? magic.cures(file) : std::vector<std::string>{}};
  if (is_saved_model(bytes)) {
    const std::string folder = fs::path(file).parent_path().string();
    return OtherFormat{"a TensorFlow SavedModel", from_saved_model(folder.empty() ? "." : folder)};
  }
  if (is_jax_export(text))
    return OtherFormat{"a function that jax.export wrote", from_jax_export(file)};
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
