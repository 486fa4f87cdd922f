// OwnBoards from the rows of a folder of the test's own: what a row says, what rows that are like
// others take from them, and what is told of boards and tools that there are not.
#include "driver/verify/board.h"

#include <catch2/catch.hpp>

#include "driver/set_variable.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Rows that need no tool, but for those that a test writes.
class OwnBoards {
 public:
  OwnBoards() : variable_("HLOCC_TOOLCHAINS", folder_.path()) {}
  void row(const std::string& name, const std::string& text) {
    folder_.write("boards/presets/" + name + ".conf", text);
  }
  const std::string& path() const { return folder_.path(); }

 private:
  tests::TemporaryFolder folder_;
  tests::SetVariable variable_;
};

Target target_on(const std::string& board, const char* name = "cortex-m4f") {
  Target target = *preset(name);
  target.board = board;
  return target;
}

TEST_CASE("a row says memories, cases and tools") {
  OwnBoards boards;
  boards.row("small", "flash=0x00000400 4095K\nbulk=0x20000000 2M\ncases=7\ncompiler=\nrun=\n");
  const Result<Board> board = find_board(target_on("small"));
  REQUIRE(board.ok());
  CHECK(board->name == "small");
  CHECK(board->folder == boards.path() + "/boards");
  CHECK(board->flash_bytes == 4095 * 1024);
  CHECK(board->bulk_bytes == 2 * 1024 * 1024);
  CHECK(board->cases == 7);
  CHECK(board->unavailable.empty());
}

TEST_CASE("boards that nobody names and that are not installed are those of the sources") {
  const tests::SetVariable none("HLOCC_TOOLCHAINS", std::nullopt);
  CHECK(std::filesystem::is_directory(toolchains_folder() + "/boards/presets"));
  const tests::SetVariable other("HLOCC_TOOLCHAINS", "/no/such/folder");
  CHECK(toolchains_folder() == "/no/such/folder");
}

TEST_CASE("sizes of memories") {
  OwnBoards boards;
  const std::pair<const char*, int64_t> rows[] = {
      {"", 0}, {"0x400", 0}, {"0 100", 100}, {"0 0x10K", 16384}, {"0 3M wait", 3145728}};
  for (const auto& [region, bytes] : rows) {
    INFO(region);
    boards.row("one", cat("flash=", region, "\n"));
    const Result<Board> board = find_board(target_on("one"));
    REQUIRE(board.ok());
    CHECK(board->flash_bytes == bytes);
    CHECK(board->bulk_bytes == 0);
    CHECK(board->cases == 50);
  }
}

TEST_CASE("the first tool that is missing is named") {
  OwnBoards boards;
  boards.row("none", "compiler=no-such-compiler\nrun=\n");
  boards.row("no_run", "compiler=tool\nrun=no-such-emulator -machine x\n");
  boards.row("both", "compiler=tool\nrun=tool -machine x\n");
  boards.row("text", "compiler=text\n");
  const tests::TemporaryFolder tools;
  const std::string tool = tools.write("bin/tool", std::string("#!/bin/sh\n"));
  tools.write("bin/text", std::string("no program\n"));
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  const tests::SetVariable path("PATH", "/no/such/folder:" + tools.path() + "/bin");
  const auto missing = [&](const char* name) { return find_board(target_on(name))->unavailable; };
  CHECK(missing("none") == "no-such-compiler is not installed");
  CHECK(missing("no_run") == "no-such-emulator is not installed");
  CHECK(missing("both").empty());
  CHECK(missing("text") == "text is not installed");
  // What needs no tool needs no folder of tools.
  boards.row("bare", "cases=1\n");
  const tests::SetVariable nowhere("PATH", "/no/such/folder");
  CHECK(missing("bare").empty());
  CHECK(missing("both") == "tool is not installed");
}

TEST_CASE("a row like another takes what it does not say itself, eight times over") {
  OwnBoards boards;
  boards.row("row0", "cases=11\nflash=0 1K\n");
  for (int i = 1; i < 10; ++i)
    boards.row(cat("row", i), cat("like=row", i - 1, "\nbulk=0 ", i, "\n"));
  boards.row("circle", "like=circle\ncases=3\n");
  const auto cases = [&](const char* name) { return find_board(target_on(name))->cases; };
  CHECK(cases("row1") == 11);
  CHECK(find_board(target_on("row3"))->bulk_bytes == 3);
  CHECK(cases("row8") == 11);
  CHECK(cases("row9") == 50);
  CHECK(cases("circle") == 3);
  boards.row("lost", "like=nowhere\n");
  CHECK_FALSE(find_board(target_on("lost")).ok());
}

TEST_CASE("the host is a board of its own, unless another is named") {
  OwnBoards boards;
  boards.row("host", "cases=1\n");
  boards.row("other", "cases=2\n");
  CHECK(find_board(target_on("", "host"))->name == "host");
  CHECK(find_board(target_on("other", "host"))->name == "other");
  CHECK(find_board(target_on("other"))->name == "other");
  const Result<Board> none = find_board(target_on(""));
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == DiagnosticKind::kTarget);
  CHECK(none.error().message == "the target cortex-m4f has no board to run on");
}

TEST_CASE("a board that there is not, and a folder without any") {
  OwnBoards boards;
  const Result<Board> nothing = find_board(target_on("smal"));
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().kind == DiagnosticKind::kEnvironment);
  CHECK(nothing.error().notes ==
        std::vector<std::string>{
            "the environment variable HLOCC_TOOLCHAINS names the folder `toolchains`"});
  boards.row("small", "cases=1\n");
  const Result<Board> misspelt = find_board(target_on("smal"));
  REQUIRE_FALSE(misspelt.ok());
  CHECK(misspelt.error().kind == DiagnosticKind::kTarget);
  CHECK(misspelt.error().message == "--board smal: there is no such board");
  CHECK(misspelt.error().notes ==
        std::vector<std::string>{"did you mean `small`?", "boards are small"});
}

}  // namespace
}  // namespace hlocc::driver
