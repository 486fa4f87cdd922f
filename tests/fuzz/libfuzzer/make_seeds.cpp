// make_seeds OUT FOLDER...: what fuzzing starts from, made of the models below the folders (the
// tests' data, and the texts that stand in seeds/ beside this file because no model has what they
// have) and of drawn modules, so that the repository need not hold it: OUT/TARGET/NAME.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>

#include "fuzz/generator.h"
#include "import/file.h"
#include "import/npy.h"
#include "import/proto/wire.h"
#include "import/reader.h"
#include "import/writer.h"
#include "ops/text/printer.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kDrawnModules = 120;
// Inputs are small, so that many are run.
constexpr size_t kLongest = 6000;

class SeedWriter {
 public:
  explicit SeedWriter(fs::path out) : out_(std::move(out)) {}

  void write(const std::string& target, const std::string& name, std::string_view bytes) {
    if (bytes.size() > kLongest) return;
    fs::create_directories(out_ / target);
    std::ofstream(out_ / target / name, std::ios::binary) << bytes;
  }
  void write_module(const std::string& name, const hlo::Module& module) {
    const std::vector<std::byte> proto = import::write_module(module);
    const std::string text = ops::to_text(module);
    take_words(text);
    write("text", name, text);
    write("proto", name, import::as_text(proto));
    write("module", name, import::as_text(proto));
  }
  void write_arrays(const std::string& name, const import::Snapshot& snapshot) {
    for (size_t i = 0; i < snapshot.arguments.size(); ++i) {
      const hlo::Literal& argument = snapshot.arguments[i];
      if (!argument.shape().is_array()) continue;
      const std::vector<std::byte> npy = import::write_npy(argument);
      write("npy", cat(name, ".", i),
            cat(static_cast<char>(argument.type()), '\0', import::as_text(npy)));
    }
  }

  // Opcodes, types and attributes: what libFuzzer puts into texts.
  void write_dictionary() const {
    std::ofstream out(out_ / "text.dict");
    for (const std::string& word : words_) out << '"' << word << "\"\n";
  }

 private:
  // Words in front of '=', '(' and '['.
  void take_words(const std::string& text) {
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    };
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '=' && text[at] != '(' && text[at] != '[') continue;
      size_t begin = at;
      while (begin > 0 && is_word(text[begin - 1])) --begin;
      const bool is_name =
          begin == at || (begin > 0 && (text[begin - 1] == '%' || text[begin - 1] == '.'));
      if (!is_name && words_.size() < 1000) words_.insert(text.substr(begin, at - begin + 1));
    }
  }

  fs::path out_;
  std::set<std::string> words_;
};

void take_file(const fs::path& path, SeedWriter& out) {
  const auto bytes = import::read_file(path.string());
  if (!bytes) return;
  const std::string whole = path.stem().string(), name = path.stem().stem().string();
  // Of other formats those that are refused, too.
  for (const auto& [extension, target] :
       {std::pair{".mlir", "stablehlo"}, {".tflite", "tflite"}, {".onnx", "onnx"}})
    if (path.extension() == extension) return out.write(target, whole, import::as_text(*bytes));
  const auto imported = import::read_model(*bytes, path.string());
  if (!imported) return;
  out.write("snapshot", name, import::as_text(*bytes));
  out.write_module(name, imported->module);
  if (imported->snapshot) out.write_arrays(name, *imported->snapshot);
}

}  // namespace
}  // namespace hlocc::fuzz

int main(int count, char** arguments) {
  using namespace hlocc::fuzz;
  if (count < 3) return 2;
  SeedWriter out(arguments[1]);
  std::vector<fs::path> files;
  for (int i = 2; i < count; ++i)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(arguments[i]))
      if (const fs::path kind = entry.path().extension(); kind == ".pb" || kind == ".hlo" ||
                                                          kind == ".tflite" || kind == ".onnx" ||
                                                          kind == ".mlir")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) take_file(file, out);
  for (int seed = 0; seed < kDrawnModules; ++seed)
    out.write_module(hlocc::cat("drawn_", seed),
                     random_program(static_cast<uint64_t>(seed)).module);
  out.write_dictionary();
  return 0;
}
