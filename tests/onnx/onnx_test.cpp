// Each model of tests/data/onnx gives what ONNX Runtime gave: integers bit for bit, floats within
// what the order of sums leaves open. make.py wrote models and values.
#include <catch2/catch.hpp>
#include <filesystem>

#include "driver/run/execute.h"
#include "import/file.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "support/folder.h"
#include "support/text.h"
#include "support/values_file.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;
using hlo::Literal;
using tests::differences, tests::ValuesFile;

constexpr const char* kFolder = HLOCC_TEST_DATA "/onnx";

std::string text_of(const std::string& path) {
  Result<std::vector<std::byte>> file = import::read_file(path);
  REQUIRE(file.ok());
  return {reinterpret_cast<const char*>(file->data()), file->size()};
}

// Runs the model on its values; gives how many were compared.
int64_t run_model(const hlo::Module& module, const std::string& name, const std::string& way) {
  Result<std::vector<std::byte>> file = import::read_file(cat(kFolder, "/", name, ".values"));
  REQUIRE(file.ok());
  ValuesFile values(std::move(*file));
  std::vector<Literal> arguments;
  for (const hlo::Shape& shape : module.entry_parameters) arguments.push_back(values.take(shape));
  Result<Literal> result = driver::execute(module, arguments, way, {});
  if (!result) FAIL_CHECK(result.error().to_string());
  if (!result) return 0;
  int64_t compared = 0, different = 0;
  for (const Literal& leaf : hlo::leaves(*result)) {
    const Literal expected = values.take(leaf.shape());
    different += differences(leaf, expected);
    compared += expected.element_count();
  }
  INFO(name << " by " << way << ": " << different << " of " << compared << " values differ");
  CHECK(different == 0);
  CHECK(values.at_end());
  return compared;
}

int64_t run_models(const std::string& way) {
  int64_t compared = 0;
  for (const fs::path& path : paths_in(kFolder)) {
    if (path.extension() != ".onnx") continue;
    const std::string name = path.stem().string();
    CAPTURE(name);
    Result<import::Imported> imported = import::read_model_file(path.string());
    if (!imported) FAIL_CHECK(imported.error().to_string());
    if (!imported) continue;
    const Status sound = ops::verify(imported->module);
    if (!sound) FAIL_CHECK(sound.error().to_string());
    if (sound) compared += run_model(imported->module, name, way);
  }
  return compared;
}

TEST_CASE("ONNX models give what ONNX Runtime gives in the interpreter") {
  CHECK(run_models("interpreter") > 3'000);
}

TEST_CASE("ONNX models give what ONNX Runtime gives as compiled code") {
  CHECK(run_models(driver::default_way()) > 3'000);
}

TEST_CASE("each operator that is read has a model, and stands in docs/formats.md") {
  std::string page = text_of(HLOCC_TEST_DATA "/../../docs/formats.md"), models;
  for (char& c : page)
    if (c == '\n') c = ' ';
  for (const fs::path& path : paths_in(kFolder))
    if (path.extension() == ".onnx") models += text_of(path.string());
  const auto check = [&](const std::string& name) {
    INFO(name);
    CHECK(page.find(cat("`", name, "`")) != std::string::npos);
    // op_type, field 4, and how long it is.
    CHECK(models.find(cat("\x22", static_cast<char>(name.size()), name)) != std::string::npos);
  };
#define HLOCC_ONNX_OP(domain, name, first, least, most, results, function) check(name);
#include "import/onnx/ops.def"
}

}  // namespace
}  // namespace hlocc
