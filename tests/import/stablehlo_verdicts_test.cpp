// What is read of each program of tests/data/stablehlo, and what is said of it when one of its
// words is another one (support/verdicts.h): a number one more or less, a word that is not there,
// twice, or a neighbour's.
#include "support/verdicts.h"

#include <cctype>

#include "import/stablehlo/import.h"

namespace hlocc {
namespace {

constexpr const char* kStablehloPrograms = HLOCC_TEST_DATA "/stablehlo";

Result<hlo::Module> read_stablehlo_bytes(const tests::Content& bytes) {
  import::Elided elided;
  return import::stablehlo::read_stablehlo(
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "file", elided);
}

struct Token {
  size_t begin, end;
};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_of_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Numbers, words and single characters.
Token token_at(const std::string& text, size_t at) {
  const auto same = is_of_number(text[at]) ? is_of_number : is_of_word;
  if (!is_of_word(text[at])) return {at, at + 1};
  size_t begin = at, end = at + 1;
  while (begin > 0 && same(text[begin - 1])) --begin;
  while (end < text.size() && same(text[end])) ++end;
  return {begin, end};
}

void change_token(tests::Content& content, std::mt19937& random) {
  std::string text(reinterpret_cast<const char*>(content.data()), content.size());
  const Token one = token_at(text, random() % text.size());
  const std::string word = text.substr(one.begin, one.end - one.begin);
  const bool is_number = is_of_number(word[0]) && word.size() < 10;
  const uint32_t what = random() % 8;
  if (is_number && what < 5) {
    const int to = std::stoi(word) + (what < 3 ? 1 : -1);
    text.replace(one.begin, word.size(), std::to_string(to));
  } else if (what < 3) {
    text.erase(one.begin, word.size());
  } else if (what < 5) {
    text.insert(one.begin, word);
  } else {
    const Token other = token_at(text, random() % text.size());
    text.replace(one.begin, word.size(), text.substr(other.begin, other.end - other.begin));
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  content.assign(bytes, bytes + text.size());
}

TEST_CASE("a function of StableHLO has a name") {
  const auto said = [](const std::string& name) {
    const std::string text =
        cat("\"builtin.module\"() ({\n \"func.func\"() <{sym_name = \"", name,
            "\", function_type = (tensor<f32>) -> tensor<f32>}> ({\n ^bb0(%a: tensor<f32>):\n",
            " \"func.return\"(%a) : (tensor<f32>) -> ()\n }) : () -> ()\n}) : () -> ()\n");
    const auto* raw = reinterpret_cast<const std::byte*>(text.data());
    const auto read = read_stablehlo_bytes({raw, raw + text.size()});
    return read ? "read" : read.error().to_string();
  };
  CHECK(said("main") == "read");
  CHECK(said("f") == "read");
  CHECK(said("").starts_with("file:2: error[syntax]: a function has a name (column "));
}

TEST_CASE("what is read of each StableHLO program") {
  CHECK(tests::add_verdicts("stablehlo_programs", kStablehloPrograms, ".mlir",
                            read_stablehlo_bytes) > 300);
}

constexpr size_t kStablehloParts = 8;

void add_stablehlo_part(size_t part) {
  tests::add_changed_verdicts("stablehlo_changed", kStablehloPrograms, ".mlir", part,
                              kStablehloParts, 60, change_token, read_stablehlo_bytes);
}

TEST_CASE("what is said of StableHLO programs with another word, part 0") { add_stablehlo_part(0); }
TEST_CASE("what is said of StableHLO programs with another word, part 1") { add_stablehlo_part(1); }
TEST_CASE("what is said of StableHLO programs with another word, part 2") { add_stablehlo_part(2); }
TEST_CASE("what is said of StableHLO programs with another word, part 3") { add_stablehlo_part(3); }
TEST_CASE("what is said of StableHLO programs with another word, part 4") { add_stablehlo_part(4); }
TEST_CASE("what is said of StableHLO programs with another word, part 5") { add_stablehlo_part(5); }
TEST_CASE("what is said of StableHLO programs with another word, part 6") { add_stablehlo_part(6); }
TEST_CASE("what is said of StableHLO programs with another word, part 7") { add_stablehlo_part(7); }

}  // namespace
}  // namespace hlocc
