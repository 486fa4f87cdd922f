// Files that are wrong: each is refused by a diagnostic that names the field, the layer or the
// limit; whatever the bytes are, reading ends, and what is read keeps HLO's rules.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "import/file.h"
#include "import/onnx/import.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "support/budget.h"
#include "support/folder.h"
#include "support/text.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;
using Content = std::vector<std::byte>;

constexpr const char* kModels = HLOCC_TEST_DATA "/onnx";

Content content_of(const std::string& path) {
  Result<Content> bytes = import::read_file(path);
  REQUIRE(bytes.ok());
  return std::move(*bytes);
}

// Reads it, and tells whether it was taken.
bool is_read(const Content& bytes) {
  Budget budget;
  const BudgetScope scope(&budget);
  const Result<import::onnx::Read> read = import::onnx::read_onnx(bytes, "file", "", {});
  if (read) {
    const Status sound = ops::verify(read->module);
    if (!sound) FAIL_CHECK(sound.error().to_string());
    return true;
  }
  CHECK(!read.error().message.empty());
  CHECK(read.error().kind != DiagnosticKind::kInternal);
  CHECK(read.error().location.file == "file");
  return false;
}

TEST_CASE("models that are wrong in one thing are refused with its name") {
  const Content raw = content_of(cat(kModels, "/bad/errors.txt"));
  const std::string text(reinterpret_cast<const char*>(raw.data()), raw.size());
  int cases = 0;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    const size_t blank = line.find(' ');
    const std::string name = line.substr(0, blank), part = line.substr(blank + 1);
    INFO(name);
    const auto read = import::read_model_file(cat(kModels, "/bad/", name, ".onnx"));
    REQUIRE_FALSE(read.ok());
    INFO(read.error().to_string());
    CHECK(read.error().message.find(part) != std::string::npos);
    ++cases;
  }
  CHECK(cases >= 53);
}

TEST_CASE("a model that was cut anywhere is refused") {
  const Content whole = content_of(cat(kModels, "/conv.onnx"));
  REQUIRE(is_read(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK_FALSE(is_read(Content(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("whatever a byte or a word of a model says, reading ends") {
  constexpr uint32_t words[] = {0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x100000};
  for (const char* name : {"conv", "if_known", "lstm_one_step", "shape_arithmetic", "function"}) {
    INFO(name);
    const Content whole = content_of(cat(kModels, "/", name, ".onnx"));
    for (size_t at = 0; at + 4 <= whole.size(); at += 3)
      for (const uint32_t word : words) {
        Content changed = whole;
        std::memcpy(&changed[at], &word, sizeof word);
        is_read(changed);
      }
    for (size_t at = 0; at < whole.size(); ++at)
      for (const int flip : {1, 2, 16, 128, 255}) {
        Content changed = whole;
        changed[at] ^= static_cast<std::byte>(flip);
        is_read(changed);
      }
  }
}

TEST_CASE("models with drawn changes are read or refused") {
  const char* wanted = std::getenv("HLOCC_ONNX_CHANGES");
  const int changes = wanted != nullptr ? std::atoi(wanted) : 40;
  std::mt19937 random(20261126);
  for (const fs::path& path : paths_in(kModels)) {
    if (path.extension() != ".onnx") continue;
    INFO(path.string());
    const Content whole = content_of(path.string());
    for (int change = 0; change < changes; ++change) {
      Content changed = whole;
      for (uint32_t left = 1 + random() % 3; left > 0; --left) {
        const size_t at = random() % changed.size();
        const auto by = static_cast<uint8_t>(random());
        changed[at] =
            random() % 2 == 0 ? static_cast<std::byte>(by % 5) : static_cast<std::byte>(by);
      }
      is_read(changed);
    }
  }
}

}  // namespace
}  // namespace hlocc
