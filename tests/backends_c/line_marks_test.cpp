// #line directives: each line of a marked region, and the file's own lines behind it.
#include "backends/c/line_marks.h"

#include <catch2/catch.hpp>

namespace hlocc::backends {
namespace {

kernel::Origin at(const std::string& file, int line) {
  kernel::Origin origin;
  origin.source = {{file, "f", line}, {"outer.py", "g", 1}};
  return origin;
}

}  // namespace

TEST_CASE("marked lines are the user's, those behind them the file's own") {
  LineMarks marks(true);
  const std::string text = "int a;\n" + marks.around("one\n\ntwo\n", at("m.py", 42)) + "int b;\n" +
                           marks.around("three\n", at("a\"b\\c.py", 7)) +
                           marks.around("four\n", at("m.py", 9)) + "int c;\n";
  CHECK(marks.resolved(text, "net.c") ==
        "int a;\n"
        "#line 42 \"m.py\"\none\n"
        "\n"
        "#line 42 \"m.py\"\ntwo\n"
        "#line 8 \"net.c\"\nint b;\n"
        "#line 7 \"a\\\"b\\\\c.py\"\nthree\n"
        "#line 12 \"net.c\"\n"
        "#line 9 \"m.py\"\nfour\n"
        "#line 15 \"net.c\"\nint c;\n");
}

TEST_CASE("without lines, or where none are wanted, texts stay as they are") {
  LineMarks marks(true), none(false);
  CHECK(marks.around("one\n", {}) == "one\n");
  CHECK(marks.around("one\n", at("m.py", 0)) == "one\n");
  CHECK(none.around("one\n", at("m.py", 1)) == "one\n");
  CHECK(none.resolved("one\n\ntwo", "net.c") == "one\n\ntwo");
  CHECK(marks.around("one\n", at("m.py", 1)) != "one\n");
}

}  // namespace hlocc::backends
