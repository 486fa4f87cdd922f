// Rows of boards: their lines, what they take from rows that they are like, and that the tool has
// those of the sources inside.
#include <catch2/catch.hpp>

#include "target/board_row.h"
#include "target/target.h"

namespace hlocc {
namespace {

TEST_CASE("lines of a row are keys and values; comments say nothing") {
  const BoardRow row = parse_board_row("# a=b\ncompiler=gcc\n\nno value\nlink=\nrun=qemu -M=x\n");
  CHECK(row == BoardRow{{"compiler", "gcc"}, {"link", ""}, {"run", "qemu -M=x"}});
}

TEST_CASE("every preset has a row, with what the rows say that it is like") {
  for (const std::string& name : preset_names()) {
    INFO(name);
    CHECK(board_row(name).contains("compiler"));
  }
  // M23 is like M33, whose start-up code it has, and has a triple of its own.
  CHECK(board_row("cortex-m23").at("start") == board_row("cortex-m33").at("start"));
  CHECK(board_row("cortex-m23").at("triple") == "thumbv8m.base-none-eabi");
  CHECK(board_row("no such row").empty());
}

TEST_CASE("a row is put together from its own and from those that it is like") {
  const std::vector<std::string> names = board_row_names("cortex-m23");
  REQUIRE(names.size() >= 2);
  CHECK((names[0] == "cortex-m23" && names[1] == "cortex-m33"));
  CHECK(board_row_names("no such row").empty());
}

TEST_CASE("flags are right for a preset's own processor, features and convention alone") {
  const Target m4f = *preset("cortex-m4f");
  CHECK(row_for(m4f) == board_row("cortex-m4f"));
  CHECK(row_for(*preset("host")) == board_row("host"));
  const auto changed = [&](void (*change)(Target&)) {
    Target target = m4f;
    change(target);
    return row_for(target);
  };
  CHECK(changed([](Target& target) { target.board = ""; }).empty());
  CHECK(changed([](Target& target) { target.cpu += "x"; }).empty());
  CHECK(changed([](Target& target) { target.features += ",+x"; }).empty());
  CHECK(changed([](Target& target) { target.float_abi = {}; }).empty());
}

}  // namespace
}  // namespace hlocc
