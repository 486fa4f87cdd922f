// Each model of tests/data/tflite gives what tflite-micro gave, run after run: integers bit for bit,
// floats within what the order of sums leaves open. make.py wrote models and values.
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

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
using hlo::Shape;
using tests::differences, tests::ValuesFile;

constexpr const char* kFolder = HLOCC_TEST_DATA "/tflite";

struct Interface {
  std::set<int64_t> state_parameters;
  std::set<size_t> state_results;
};

Interface interface_of(const hlo::Module& module) {
  Interface out;
  for (const hlo::Alias& alias : module.aliases) {
    out.state_parameters.insert(alias.parameter);
    out.state_results.insert(
        alias.output_index.empty() ? 0 : static_cast<size_t>(alias.output_index[0]));
  }
  return out;
}

// Runs the model on its values, at most so many times; gives how many were compared.
int64_t run_all(const hlo::Module& module, const std::string& name, const std::string& way,
                int most_runs) {
  Result<std::vector<std::byte>> file = import::read_file(cat(kFolder, "/", name, ".values"));
  REQUIRE(file.ok());
  ValuesFile values(std::move(*file));
  const Interface state = interface_of(module);
  std::vector<Literal> held;  // the state that the run before left, in the parameters' order
  int64_t compared = 0, different = 0;
  for (int run = 0; run < most_runs && !values.at_end(); ++run) {
    std::vector<Literal> arguments;
    size_t next = 0;
    for (size_t i = 0; i < module.entry_parameters.size(); ++i) {
      const Shape& shape = module.entry_parameters[i];
      if (!state.state_parameters.contains(static_cast<int64_t>(i)))
        arguments.push_back(values.take(shape));
      else
        arguments.push_back(held.empty() ? Literal::zeros(shape) : held[next++]);
    }
    Result<Literal> result = driver::execute(module, arguments, way, {});
    REQUIRE(result.ok());
    held.clear();
    const std::vector<Literal> leaves = hlo::leaves(*result);
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (state.state_results.contains(i)) {
        held.push_back(leaves[i]);
        continue;
      }
      const Literal expected = values.take(leaves[i].shape());
      different += differences(leaves[i], expected);
      compared += expected.element_count();
    }
  }
  INFO(name << " by " << way << ": " << different << " of " << compared << " values differ");
  CHECK(different == 0);
  return compared;
}

int64_t run_models(const std::string& way, int most_runs) {
  int64_t compared = 0;
  for (const fs::path& path : paths_in(kFolder)) {
    if (path.extension() != ".tflite") continue;
    const std::string name = path.stem().string();
    CAPTURE(name);
    import::Choices choices;
    if (name.starts_with("reference_")) choices.rounding = import::Rounding::kLitert;
    if (name.starts_with("xnnpack_")) choices.rounding = import::Rounding::kXnnpack;
    Result<import::Imported> imported =
        import::read_model_file(path.string(), import::Constants::kNeeded, nullptr, choices);
    if (!imported) FAIL_CHECK(imported.error().to_string());
    if (!imported) continue;
    const Status sound = ops::verify(imported->module);
    if (!sound) FAIL_CHECK(sound.error().to_string());
    if (sound) compared += run_all(imported->module, name, way, most_runs);
  }
  return compared;
}

TEST_CASE("models of TensorFlow Lite give what tflite-micro gives in the interpreter") {
  CHECK(run_models("interpreter", 16) > 150'000);
}

TEST_CASE("models of TensorFlow Lite give what tflite-micro gives as compiled code") {
  // Each run is compiled anew.
  CHECK(run_models(driver::default_way(), 2) > 25'000);
}

TEST_CASE("docs/formats.md has the operators that are read") {
  Result<std::vector<std::byte>> file = import::read_file(HLOCC_TEST_DATA "/../../docs/formats.md");
  REQUIRE(file.ok());
  std::string page(reinterpret_cast<const char*>(file->data()), file->size());
  for (char& c : page)
    if (c == '\n') c = ' ';
  int rows = 0;
  const auto check = [&](const std::string& row) {
    INFO(row);
    CHECK(page.find(row) != std::string::npos);
    ++rows;
  };
#define HLOCC_TFLITE_OP(code, name, version, function) check(cat("`" name "` ", version));
#define HLOCC_TFLITE_CUSTOM(name, function) check("`" name "`");
#include "import/tflite/ops.def"
  CHECK(rows > 30);
}

}  // namespace
}  // namespace hlocc
