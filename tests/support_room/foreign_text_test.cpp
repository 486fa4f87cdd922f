// Bytes of any kind in each kind of text.
#include "support/foreign_text.h"

#include <catch2/catch.hpp>

namespace hlocc {
namespace {

// U+202E turns what follows it round; U+FFFD stands for what can't be shown.
constexpr const char* kTurns = "\xe2\x80\xae";
constexpr const char* kReplaced = "\xef\xbf\xbd";

TEST_CASE("what is UTF-8 and what is not") {
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length("\xc3\xa9 ") == 2);
  CHECK(utf8_length("\xe2\x82\xac") == 3);
  CHECK(utf8_length("\xf0\x9f\x98\x80") == 4);
  CHECK(utf8_length("\xed\x9f\xbf") == 3);      // U+D7FF, below the surrogates
  CHECK(utf8_length("\xee\x80\x80") == 3);      // U+E000, above them
  CHECK(utf8_length("\xf4\x8f\xbf\xbf") == 4);  // U+10FFFF, the last
  CHECK(utf8_length("\xc2\x80") == 2);
  CHECK(utf8_length("\xe0\xa0\x80") == 3);
  CHECK(utf8_length("\xf0\x90\x80\x80") == 4);
  for (const char* wrong : {"", "\xff", "\xfe", "\x80", "\xc3", "\xc3 ", "\xe2\x82", "\xe2\x82 ",
                            "\xf8\x88\x80\x80\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                            "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80"})
    CHECK(utf8_length(wrong) == 0);
}

TEST_CASE("for a terminal") {
  CHECK(for_terminal("a\tb\n\xc3\xa9") == "a\tb\n\xc3\xa9");
  CHECK(for_terminal(std::string_view("\0\x1b[2J\x7f\r", 7)) == "\\x00\\x1b[2J\\x7f\\x0d");
  CHECK(for_terminal("\xff\xc3") == "\\xff\\xc3");
  CHECK(for_terminal("\xc2\x9b") == "\\xc2\\x9b");  // a control of 8 bits
  for (const char* mark : {"\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa", kTurns,
                           "\xe2\x81\xa6", "\xe2\x81\xa9", "\xe2\x80\xa8", "\xe2\x80\xa9"})
    CHECK(for_terminal(mark).starts_with("\\x"));
  for (const char* shown :
       {"\xe2\x80\xa7", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa", "\xc2\xa0"})
    CHECK(for_terminal(shown) == shown);
}

TEST_CASE("for one line") {
  CHECK(for_line("a\tb\n\xff \xc3\xa9") == "a\\x09b\\x0a\\xff \xc3\xa9");
}

TEST_CASE("JSON that is read at a terminal, too") {
  CHECK(json_for_terminal("{\n \"a\\n\": \"\xe2\x80\xae\x7f\xc2\x9b\xc3\xa9\"}") ==
        "{\n \"a\\n\": \"\\u202e\\u007f\\u009b\xc3\xa9\"}");
}

TEST_CASE("for a page") {
  CHECK(for_html("</script><b x=\"'&\">") == "&lt;/script&gt;&lt;b x=&quot;&#39;&amp;&quot;&gt;");
  CHECK(for_html(std::string_view("\0\xff", 2)) == std::string(kReplaced) + kReplaced);
  CHECK(for_html(kTurns) == kReplaced);
  CHECK(for_html("\xe2\x82\xac\n") == "\xe2\x82\xac\n");
}

TEST_CASE("for a comment of C") {
  CHECK(for_c_comment("a*/b/*c\n\\") == "a* /b/ *c??");
  CHECK(for_c_comment("*\xff/") == "*?/");
  CHECK(for_c_comment("?\?/\n") == "?\? /?");
  CHECK(for_c_comment("\xff\xff/") == "?\? /");
  CHECK(for_c_comment(kTurns) ==
        "??"
        "?");
  CHECK(for_c_comment(std::string_view("a\0b", 3)) == "a?b");
  CHECK(for_c_comment("*/*/") == "* / * /");
  CHECK(for_c_comment("\x1f !}~\x7f") == "? !}~?");
}

TEST_CASE("a literal of C") {
  CHECK(c_string("a\"b\\c") == R"("a\"b\\c")");
  CHECK(c_string("?\?/") == R"("\?\?/")");
  CHECK(c_string("\x1f !}~\x7f") == R"("\037 !}~\177")");
  CHECK(c_string(std::string_view("\n\xff\0"
                                  "1",
                                  4)) == R"("\012\377\0001")");
}

}  // namespace
}  // namespace hlocc
