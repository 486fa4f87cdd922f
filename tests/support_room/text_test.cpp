// Text helpers: concatenation, and the spelling of names in generated code.
#include "support/text.h"

#include <catch2/catch.hpp>

using namespace hlocc;

TEST_CASE("cat prints text as text, numbers as numbers, bools as words") {
  const std::string_view view = "view";
  CHECK(cat("a ", 1, ' ', -2L, " ", uint64_t{18446744073709551615u}, " ", view, std::string("!")) ==
        "a 1 -2 18446744073709551615 view!");
  CHECK(cat(true, "/", false) == "true/false");
  CHECK(cat(int8_t{65}) == "65");
  CHECK(cat() == "");
}

TEST_CASE("join and split") {
  CHECK(join(std::vector<int>{1, 2, 3}, ",") == "1,2,3");
  CHECK(join(std::vector<std::string>{"a"}, ", ") == "a");
  CHECK(join(std::vector<int>{}, ",") == "");
  CHECK(split("a,,b", ',') == std::vector<std::string>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(split("a,", ',') == std::vector<std::string>{"a", ""});
}

TEST_CASE("C identifiers") {
  CHECK(is_c_identifier("_a9"));
  CHECK(!is_c_identifier("9a"));
  CHECK(!is_c_identifier("0a"));
  CHECK(!is_c_identifier("a-b"));
  CHECK(!is_c_identifier(""));
  CHECK(to_c_identifier("add.7") == "add_7");
  CHECK(to_c_identifier("7up") == "_7up");
  CHECK(to_c_identifier("") == "_");
  CHECK(to_c_identifier("\xC3\xA4") == "__");
}

TEST_CASE("cases of names") {
  CHECK(to_snake_case("TinyGpt") == "tiny_gpt");
  CHECK(to_snake_case("KWSNet") == "kws_net");
  CHECK(to_snake_case("kws_dscnn") == "kws_dscnn");
  CHECK(to_snake_case("Kws") == "kws");
  CHECK(to_snake_case("A_B") == "a_b");
  CHECK(to_snake_case("aZ") == "a_z");
  CHECK(to_snake_case("aBC") == "a_bc");
  CHECK(to_snake_case("a1[b") == "a1[b");
  CHECK(to_camel_case("kws_dscnn") == "KwsDscnn");
  CHECK(to_camel_case("kws") == "Kws");
  CHECK(to_camel_case("2d") == "_2d");
  CHECK(to_camel_case("") == "_");
  CHECK(to_upper("acme_kws") == "ACME_KWS");
  CHECK(to_upper("`az{~") == "`AZ{~");
}

TEST_CASE("the end of what a program printed") {
  CHECK(printable_end("", 3).empty());
  CHECK(printable_end("abc", 3) == "abc");
  CHECK(printable_end("abcd", 3) == "bcd");
  CHECK(printable_end("a\n~\x7f\x80\x1f", 9) == "a ~");
  CHECK(printable_end("\n \n", 9).empty());
}
