// Which of verify's flags go together: usage errors of the verb itself, each beside what is right;
// and values that a command line gives (driver/verify/verb_verify.cpp).
#include <catch2/catch.hpp>

#include "driver/cli/verbs.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// The message of the usage error; "" where the verb gets as far as the file that there is not.
std::string verify_answer(const std::string& words) {
  const std::vector<std::string> all = split("hlocc verify none.pb " + words, ' ');
  std::vector<const char*> raw;
  for (const std::string& word : all)
    if (!word.empty()) raw.push_back(word.c_str());
  const Result<CommandLine> line = parse_command_line(static_cast<int>(raw.size()), raw.data());
  REQUIRE(line.ok());
  const Result<int> code = verb_verify(*line);
  if (code.ok()) return "";
  return code.error().kind == DiagnosticKind::kUsage ? code.error().message : "";
}

void check_answers(const std::vector<std::pair<const char*, std::string>>& rows) {
  for (const auto& [words, answer] : rows) {
    INFO(words);
    CHECK(verify_answer(words) == answer);
  }
}

TEST_CASE("guards stand round compiled code that verify calls itself") {
  const std::string refused = "--guard is for compiled code that verify itself calls";
  check_answers({
      {"--guard --backend cpu", ""},
      {"--guard --backend c", ""},
      {"--guard --target host", ""},
      {"--guard --target cortex-m4f", ""},
      {"--guard --target cortex-m4f --backend interpreter", ""},
      {"--guard --streams 0 --backend cpu", refused},
      {"--guard --streams 1 --backend cpu", refused},
      {"--guard --backend interpreter", refused},
      {"--guard --backend vulkan", refused},
      {"--guard --plugin none.so", refused},
      {"--guard --plugin none.so --backend cpu", refused},
      {"--guard --target host --runner true", refused},
      {"--backend interpreter", ""},
  });
}

TEST_CASE("rows are pushed into compiled libraries") {
  const std::string refused = "--stream is for compiled libraries";
  check_answers({
      {"--stream 0 --backend cpu", ""},
      {"--stream 0 --backend c", ""},
      {"--stream 0 --target host", ""},
      {"--stream 0 --backend interpreter", refused},
      {"--stream 0 --target cortex-m4f --backend interpreter", ""},
      {"--stream 0 --target host --guard", "--guard and --stream do not go together"},
      {"--stream 0 --backend cpu --streams 1", refused},
      {"--stream 0 --backend cpu --streams 0", refused},
      {"--stream 0 --target cortex-m4f", ""},
  });
}

TEST_CASE("the interpreter is not compared with itself") {
  const std::string refused =
      "the interpreter would be compared with itself: --expect says what is right";
  check_answers({
      {"--backend interpreter --input 0=a.npy", refused},
      {"--backend interpreter --input 0=a.npy --expect 0=b.npy", ""},
      {"--backend interpreter --input 0=a.npy --target host", ""},
      {"--backend c --input 0=a.npy", ""},
  });
}

}  // namespace
}  // namespace hlocc::driver
