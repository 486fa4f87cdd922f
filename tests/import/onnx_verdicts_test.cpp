// What is read of each model of tests/data/onnx, what is said of the bad ones, and of all of them
// with a byte that is one more or less (support/verdicts.h).
#include "support/verdicts.h"

#include "import/onnx/import.h"

namespace hlocc {
namespace {

constexpr const char* kOnnxModels = HLOCC_TEST_DATA "/onnx";

Result<hlo::Module> read_onnx_bytes(const tests::Content& bytes) {
  Result<import::onnx::Read> read = import::onnx::read_onnx(bytes, "file", "", {});
  if (!read) return std::move(read).error();
  return std::move(read->module);
}

TEST_CASE("what is read of each ONNX model") {
  CHECK(tests::add_verdicts("onnx_models", kOnnxModels, ".onnx", read_onnx_bytes) > 150);
}

TEST_CASE("what is said of bad ONNX models") {
  CHECK(tests::add_verdicts("onnx_bad", cat(kOnnxModels, "/bad"), ".onnx", read_onnx_bytes) >= 54);
}

constexpr size_t kOnnxParts = 4;

void add_onnx_part(size_t part) {
  tests::add_changed_verdicts("onnx_changed", kOnnxModels, ".onnx", part, kOnnxParts, 100,
                              tests::change_byte, read_onnx_bytes);
}

TEST_CASE("what is said of ONNX models with another byte, part 0") { add_onnx_part(0); }
TEST_CASE("what is said of ONNX models with another byte, part 1") { add_onnx_part(1); }
TEST_CASE("what is said of ONNX models with another byte, part 2") { add_onnx_part(2); }
TEST_CASE("what is said of ONNX models with another byte, part 3") { add_onnx_part(3); }

TEST_CASE("what is said of bad ONNX models with another byte") {
  tests::add_changed_verdicts("onnx_changed_bad", cat(kOnnxModels, "/bad"), ".onnx", 0, 1, 60,
                              tests::change_byte, read_onnx_bytes);
}

}  // namespace
}  // namespace hlocc
