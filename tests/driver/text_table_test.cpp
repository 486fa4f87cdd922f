// Tables and sentences in terminals that are narrow.
#include "driver/cli/text_table.h"

#include <catch2/catch.hpp>

#include "support/text.h"

namespace hlocc::tests {
namespace {

using driver::Column;
using driver::to_text;
using driver::wrapped;

const std::vector<Column> columns = {
    {"layer"}, {"shape", false, 2}, {"bytes", true}, {"kernel", false, 1}};

std::string table(const std::string& name, size_t width) {
  return to_text(columns, {{name, "f32[64,64]", "16384", "convolution_0"}, {"a", "", "1", ""}},
                 width);
}

size_t widest(const std::string& text) {
  size_t most = 0;
  for (const std::string& line : split(text, '\n')) most = std::max(most, line.size());
  return most;
}

}  // namespace

TEST_CASE("a table that fits stands as it is", "[driver]") {
  CHECK(table("conv", 0) ==
        "layer  shape       bytes  kernel\n"
        "conv   f32[64,64]  16384  convolution_0\n"
        "a                      1  \n");
  CHECK(table("conv", 39) == table("conv", 0));
  CHECK(widest(table("conv", 0)) == 39);
}

TEST_CASE("columns go by rank, then names are cut at their beginning", "[driver]") {
  const std::string name = "encoder/layer_11/attention/dot_general (+3)";
  CHECK(widest(table(name, 0)) == 43 + 34);
  CHECK(table(name, 77) == table(name, 0));
  // Cut, before any column goes.
  CHECK(table(name, 60).find("convolution_0") != std::string::npos);
  CHECK(table(name, 60).find("...") == table(name, 60).find('\n') + 1);
  CHECK(widest(table(name, 60)) == 60);
  // The shape first, then the kernel; what has no rank stays.
  CHECK(table(name, 57).find("f32") == std::string::npos);
  CHECK(table(name, 57).find("convolution_0") != std::string::npos);
  CHECK(table(name, 40).find("convolution_0") == std::string::npos);
  CHECK(table(name, 40).find("dot_general (+3)") != std::string::npos);
  CHECK(widest(table(name, 40)) == 40);
  CHECK(widest(table(name, 1)) == 24 + 2 + 5);
  // A character of several bytes is whole or not there.
  const std::string foreign = table(
      "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3"
      "\xbc\xc3\xa4",
      31);
  CHECK(foreign.find("...\xc3") != std::string::npos);
}

TEST_CASE("of columns of one rank the last goes first, and those without a rank stay", "[driver]") {
  const std::vector<Column> ranked = {
      {"name"}, {"aaaaaaaa", false, 1}, {"bbbbbbbb", false, 1}, {"kept"}};
  const auto shown = [&](size_t width) { return to_text(ranked, {{"n", "a", "b", "k"}}, width); };
  CHECK(shown(30) == "name  aaaaaaaa  bbbbbbbb  kept\nn     a         b         k\n");
  CHECK(shown(29) == "name  aaaaaaaa  kept\nn     a         k\n");
  CHECK(shown(20) == shown(29));
  CHECK(shown(19) == "name  kept\nn     k\n");
  CHECK(shown(1) == shown(19));
}

TEST_CASE("sentences break between words", "[driver]") {
  CHECK(wrapped("RAM      ", "an int8 model", 0) == "RAM      an int8 model\n");
  CHECK(wrapped("RAM      ", "one two three four five six seven", 33) ==
        "RAM      one two three four five\n         six seven\n");
  CHECK(wrapped("RAM      ", "one two three four five", 33) ==
        "RAM      one two three four five\n");
  // A line may be just as wide as there is room.
  CHECK(wrapped("RAM      ", "one two three four fives", 33) ==
        "RAM      one two three four fives\n");
  CHECK(wrapped("RAM      ", "one two three four fivers", 33) ==
        "RAM      one two three four\n         fivers\n");
  const std::string cut = wrapped("RAM      ", "a encoder/layer_11/attention/dot_general b", 33);
  CHECK(cut == "RAM      a\n         ...attention/dot_general\n         b\n");
  CHECK(wrapped("RAM      ", std::string(24, 'x'), 33) ==
        "RAM      " + std::string(24, 'x') + "\n");
  CHECK(wrapped("RAM      ", "", 33) == "RAM      \n");
}

}  // namespace hlocc::tests
