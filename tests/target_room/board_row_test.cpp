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

}  // namespace
}  // namespace hlocc
