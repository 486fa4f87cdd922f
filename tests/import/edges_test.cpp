// What stands just outside the conditions of the readers: the last number that fits and the first
// that does not, places at a bound, letters beside the alphabet.
#include <cmath>

#include "import/models.h"
#include "import/text/cursor.h"

namespace hlocc::import {
namespace {

TextCursor cursor(std::string_view text) { return TextCursor(text, "test.hlo"); }

std::vector<std::string> names_of(const hlo::Module& module) {
  std::vector<std::string> names;
  for (const hlo::Instruction& i : module.entry_computation().instructions) names.push_back(i.name);
  return names;
}

TEST_CASE("integers at both ends of 64 bits") {
  CHECK(*cursor("-9223372036854775808").integer() == INT64_MIN);
  CHECK_FALSE(cursor("-9223372036854775809").integer().ok());
  CHECK(*cursor("18446744073709551615").integer() == -1);
  CHECK_FALSE(cursor("18446744073709551616").integer().ok());
  CHECK(*cursor("-7x").integer() == -7);
  CHECK_FALSE(cursor("-").integer().ok());
}

TEST_CASE("escapes of strings take as many digits as they may") {
  const auto text = [](std::string_view quoted) { return *cursor(quoted).quoted(); };
  CHECK(text("\"\\101\\1012\"") == "AA2");
  CHECK(text("\"\\60\\608\\07\"") == std::string("000\a").replace(2, 1, "8").replace(1, 1, "0"));
  CHECK(text("\"\\0777\\08\"") == std::string("?7\0008", 4));
  CHECK(text("\"\\x41\\X4a1\\x4g\\x4:\\7\"") == "AJ1\x04g\x04:\a");
  CHECK(text("\"\\xAF\\xaf\\x0G\"") == std::string("\xaf\xaf\0G", 4));
  CHECK(text("'\\8\\/\\n'") == "8/\n");
  CHECK_FALSE(cursor("\"\\").quoted().ok());
  CHECK_FALSE(cursor("\"\\x").quoted().ok());
  CHECK_FALSE(cursor("\"\\1").quoted().ok());
}

TEST_CASE("words begin with a letter and go on with letters, digits, dots and dashes") {
  for (const char* word : {"a", "z", "A", "Z", "_", "a0", "a9", "a.b", "a-b", "_Zz"})
    CHECK(cursor(word).word() == word);
  for (const char* text : {"@", "[", "`", "{", "0", "9", ".", "-"})
    CHECK(cursor(text).word() == "");
  CHECK(cursor("a/b").word() == "a");
  CHECK(cursor("a:b").word() == "a");
  CHECK(*cursor("%0.a").name() == "0.a");
  CHECK_FALSE(cursor("%").name().ok());
  CHECK_FALSE(cursor("%/").name().ok());
}

TEST_CASE("spaces and comments go unseen, slashes do not") {
  for (const char* text : {" ", "\t", "\n", "\r", "\f", "\v", "// to the end", "/* open", "/**/"})
    CHECK(cursor(text).at_end());
  CHECK(cursor("/**/x").peek() == 'x');
  CHECK(cursor("/*/x").at_end());
  CHECK(cursor("//\nx").peek() == 'x');
  CHECK(cursor("/").peek() == '/');
  CHECK(cursor("/x").peek() == '/');
  CHECK(cursor("").peek() == '\0');
}

TEST_CASE("values end outside of all brackets") {
  const auto skipped = [](std::string_view text) -> std::string {
    TextCursor at = cursor(text);
    if (!at.skip_value()) return "refused";
    return std::string(text.substr(0, at.position()));
  };
  CHECK(skipped("a{,}b,c") == "a{,}b");
  CHECK(skipped("[ (]) x") == "[ (])");
  CHECK(skipped("a\"},\"b}") == "a\"},\"b");
  CHECK(skipped("a b") == "a");
  CHECK(skipped("a\nb") == "a");
  for (const char* text : {"}", "]", ")", ",", ""}) CHECK(skipped(text) == "refused");
  for (const char* text : {"{", "[", "(", "{[}", "a(\"x"}) CHECK(skipped(text) == "refused");
  const auto group = [](std::string_view text) -> std::string {
    TextCursor at = cursor(text);
    if (!at.skip_group()) return "refused";
    return std::string(text.substr(0, at.position()));
  };
  CHECK(group("{a(b)[c]}d") == "{a(b)[c]}");
  CHECK(group("((a)") == "refused");
  CHECK(*cursor("{a{\"}\"}}b").braced() == "{a{\"}\"}}");
  CHECK_FALSE(cursor("a{}").braced().ok());
  CHECK_FALSE(cursor("{{}").braced().ok());
}

TEST_CASE("lines are counted from where they were last asked for, backwards too") {
  TextCursor at = cursor("a\nb\nc");
  at.word(), at.word(), at.word();
  CHECK(at.line() == 3);
  at.rewind(0);
  CHECK(at.line() == 1);
  at.rewind(2);
  CHECK(at.line() == 2);
  CHECK(at.line() == 2);
}

TEST_CASE("true and false are words, or 1 and 0") {
  for (const char* text : {"true", "1"}) CHECK(*cursor(text).boolean());
  for (const char* text : {"false", "0"}) CHECK_FALSE(*cursor(text).boolean());
  for (const char* text : {"truth", "2", ""}) CHECK_FALSE(cursor(text).boolean().ok());
}

TEST_CASE("a control predecessor comes before whoever waits for it") {
  CHECK(names_of(module_from(entry_with(
            "x = f32[4] parameter(0)\nlate = f32[4] negate(x), control-predecessors={early}\n"
            "early = f32[4] abs(x)\nROOT sum = f32[4] add(late, early)"))) ==
        std::vector<std::string>{"x", "early", "late", "sum"});
  const Diagnostic unknown =
      error_of(entry_with("x = f32[4] parameter(0)\nROOT late = f32[4] negate(x), "
                          "control-predecessors={nobody}"));
  CHECK(unknown.kind == DiagnosticKind::kStructure);
  CHECK(unknown.location.line == 4);
  const Diagnostic cycle =
      error_of(entry_with("x = f32[4] parameter(0)\na = f32[4] negate(x), "
                          "control-predecessors={b}\nROOT b = f32[4] abs(a)"));
  CHECK(cycle.message.find("cycle") != std::string::npos);
}

TEST_CASE("parameters count from 0, each once") {
  for (const char* number : {"-1", "1", "9223372036854775807"})
    CHECK(error_of(entry_with(cat("x = f32[4] parameter(", number, ")")))
              .message.find(cat("parameter number ", number, " is out of range")) !=
          std::string::npos);
  CHECK(error_of(entry_with("x = f32[4] parameter(0)\ny = f32[4] parameter(0)"))
            .message.find("parameter number 0 is taken by %x") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::import
