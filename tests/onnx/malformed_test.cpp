// Files that are wrong: each is refused by a diagnostic that names the field, the layer or the
// limit; whatever the bytes are, reading ends, and what is read keeps HLO's rules.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>

#include "import/onnx/import.h"
#include "support/budget.h"
#include "support/hostile_files.h"

namespace hlocc {
namespace {

using tests::Content;

constexpr const char* kModels = HLOCC_TEST_DATA "/onnx";

bool is_read(const Content& bytes) {
  Budget budget;
  const BudgetScope scope(&budget);
  Result<import::onnx::Read> read = import::onnx::read_onnx(bytes, "file", "", {});
  if (!read) return tests::is_taken(std::move(read).error());
  return tests::is_taken(std::move(read->module));
}

TEST_CASE("models that are wrong in one thing are refused with its name") {
  CHECK(tests::check_refusals(kModels, ".onnx") >= 54);
}

TEST_CASE("a model that was cut anywhere is refused") {
  tests::check_cuts(tests::content_of(cat(kModels, "/conv.onnx")), is_read);
}

TEST_CASE("whatever a byte or a word of a model says, reading ends") {
  for (const char* name : {"conv", "if_known", "lstm_one_step", "shape_arithmetic", "function"}) {
    INFO(name);
    tests::change_words(tests::content_of(cat(kModels, "/", name, ".onnx")), 3, is_read);
  }
}

TEST_CASE("models with drawn changes are read or refused") {
  const char* wanted = std::getenv("HLOCC_ONNX_CHANGES");
  tests::draw_changes(kModels, ".onnx", wanted != nullptr ? std::atoi(wanted) : 40, is_read);
}

}  // namespace
}  // namespace hlocc
