// Files that are wrong: each is refused by a diagnostic that names the field, the layer or the
// limit; whatever the bytes are, reading ends, and what is read keeps HLO's rules.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>

#include "import/tflite/import.h"
#include "support/budget.h"
#include "support/hostile_files.h"

namespace hlocc {
namespace {

using tests::Content;

constexpr const char* kModels = HLOCC_TEST_DATA "/tflite";

bool is_read(const Content& bytes) {
  Budget budget;
  const BudgetScope scope(&budget);
  return tests::is_taken(import::tflite::read_tflite(bytes, "file"));
}

TEST_CASE("models that are wrong in one thing are refused with its name") {
  CHECK(tests::check_refusals(kModels, ".tflite") >= 57);
}

TEST_CASE("a model that was cut anywhere is refused") {
  tests::check_cuts(tests::content_of(cat(kModels, "/conv_same.tflite")), is_read);
}

TEST_CASE("whatever a byte or a word of a model says, reading ends") {
  for (const char* name : {"conv_same", "strided_slice", "split_v", "softmax", "signal_framer"}) {
    INFO(name);
    tests::change_words(tests::content_of(cat(kModels, "/", name, ".tflite")), 4, is_read);
  }
}

TEST_CASE("models with drawn changes are read or refused") {
  const char* wanted = std::getenv("HLOCC_TFLITE_CHANGES");
  tests::draw_changes(kModels, ".tflite", wanted != nullptr ? std::atoi(wanted) : 40, is_read);
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
