// Files that are wrong: each is refused by a diagnostic that names the field, the layer or the
// limit; whatever the bytes are, reading ends, and what is read keeps HLO's rules.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "import/file.h"
#include "import/reader.h"
#include "import/tflite/import.h"
#include "ops/check/verifier.h"
#include "support/budget.h"
#include "support/folder.h"
#include "support/text.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;
using Content = std::vector<std::byte>;

constexpr const char* kModels = HLOCC_TEST_DATA "/tflite";

Content content_of(const std::string& path) {
  Result<Content> bytes = import::read_file(path);
  REQUIRE(bytes.ok());
  return std::move(*bytes);
}

// Reads it, and tells whether it was taken.
bool is_read(const Content& bytes) {
  Budget budget;
  const BudgetScope scope(&budget);
  const Result<hlo::Module> module = import::tflite::read_tflite(bytes, "file");
  if (module) {
    const Status sound = ops::verify(*module);
    if (!sound) FAIL_CHECK(sound.error().to_string());
    return true;
  }
  CHECK(!module.error().message.empty());
  CHECK(module.error().kind != DiagnosticKind::kInternal);
  CHECK(module.error().location.file == "file");
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
    const auto read = import::read_model_file(cat(kModels, "/bad/", name, ".tflite"));
    REQUIRE_FALSE(read.ok());
    INFO(read.error().to_string());
    CHECK(read.error().message.find(part) != std::string::npos);
    ++cases;
  }
  CHECK(cases >= 37);
}

TEST_CASE("a model that was cut anywhere is refused") {
  const Content whole = content_of(cat(kModels, "/conv_same.tflite"));
  REQUIRE(is_read(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK_FALSE(is_read(Content(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("whatever a byte or a word of a model says, reading ends") {
  constexpr uint32_t words[] = {0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x100000};
  for (const char* name : {"conv_same", "strided_slice", "split_v", "softmax"}) {
    INFO(name);
    const Content whole = content_of(cat(kModels, "/", name, ".tflite"));
    for (size_t at = 0; at + 4 <= whole.size(); at += 4)
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
  const char* wanted = std::getenv("HLOCC_TFLITE_CHANGES");
  const int changes = wanted != nullptr ? std::atoi(wanted) : 40;
  std::mt19937 random(20261126);
  for (const fs::path& path : paths_in(kModels)) {
    if (path.extension() != ".tflite") continue;
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

// A model of version 3 whose root has one vector of offsets, which all lead to one table of no
// fields.
Content shared_tables(uint32_t count) {
  // At 8 the root's vtable: version (0) is its second word, subgraphs (2) its third; at 18 that of
  // the empty table.
  const uint16_t vtables[] = {10, 12, 4, 0, 8, 4, 4, 0};
  std::vector<uint32_t> words = {24, 0x334c4654};  // the root's offset, "TFL3"
  for (size_t i = 0; i < std::size(vtables); i += 2)
    words.push_back(vtables[i] | static_cast<uint32_t>(vtables[i + 1]) << 16);
  words.insert(words.end(), {24 - 8, 3, 4, count});  // at 24: the root; at 36: the vector
  const uint32_t table = 40 + 4 * count;
  for (uint32_t i = 0; i < count; ++i) words.push_back(table - (40 + 4 * i));
  words.push_back(table - 18);
  Content bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST_CASE("tables that many offsets share count each time") {
  const Result<hlo::Module> three = import::tflite::read_tflite(shared_tables(3), "file");
  REQUIRE(three.ok());
  CHECK(three->entry_parameters.empty());
  const auto many = import::tflite::read_tflite(shared_tables((1 << 20) + 8), "file");
  REQUIRE_FALSE(many.ok());
  CHECK(many.error().kind == DiagnosticKind::kLimit);
  CHECK(many.error().message.find("tables that a model may have") != std::string::npos);
}

}  // namespace
}  // namespace hlocc
