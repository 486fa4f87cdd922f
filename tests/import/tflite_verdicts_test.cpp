// What is read of each model of tests/data/tflite in each way of rounding, what is said of the bad
// ones, and of all of them with a byte that is one more or less (support/verdicts.h).
#include "support/verdicts.h"

#include "import/tflite/import.h"

namespace hlocc {
namespace {

constexpr const char* kTfliteModels = HLOCC_TEST_DATA "/tflite";

Result<hlo::Module> read_tflite_bytes(const tests::Content& bytes) {
  return import::tflite::read_tflite(bytes, "file");
}

TEST_CASE("what is read of each .tflite model, by whose rounding") {
  for (const auto& [name, rounding] : {std::pair{"tflite_tflm", import::Rounding::kTflm},
                                       {"tflite_litert", import::Rounding::kLitert},
                                       {"tflite_xnnpack", import::Rounding::kXnnpack}}) {
    import::Choices choices;
    choices.rounding = rounding;
    CHECK(tests::add_verdicts(name, kTfliteModels, ".tflite", [&](const tests::Content& bytes) {
            return import::tflite::read_tflite(bytes, "file", choices);
          }) > 250);
  }
}

TEST_CASE("what is said of bad .tflite models") {
  CHECK(tests::add_verdicts("tflite_bad", cat(kTfliteModels, "/bad"), ".tflite",
                            read_tflite_bytes) >= 57);
}

constexpr size_t kTfliteParts = 8;

void add_tflite_part(size_t part) {
  tests::add_changed_verdicts("tflite_changed", kTfliteModels, ".tflite", part, kTfliteParts, 60,
                              tests::change_byte, read_tflite_bytes);
}

TEST_CASE("what is said of .tflite models with another byte, part 0") { add_tflite_part(0); }
TEST_CASE("what is said of .tflite models with another byte, part 1") { add_tflite_part(1); }
TEST_CASE("what is said of .tflite models with another byte, part 2") { add_tflite_part(2); }
TEST_CASE("what is said of .tflite models with another byte, part 3") { add_tflite_part(3); }
TEST_CASE("what is said of .tflite models with another byte, part 4") { add_tflite_part(4); }
TEST_CASE("what is said of .tflite models with another byte, part 5") { add_tflite_part(5); }
TEST_CASE("what is said of .tflite models with another byte, part 6") { add_tflite_part(6); }
TEST_CASE("what is said of .tflite models with another byte, part 7") { add_tflite_part(7); }

TEST_CASE("what is said of bad .tflite models with another byte") {
  tests::add_changed_verdicts("tflite_changed_bad", cat(kTfliteModels, "/bad"), ".tflite", 0, 1, 40,
                              tests::change_byte, read_tflite_bytes);
}

}  // namespace
}  // namespace hlocc
