// `hlocc verify --target` and `--runner` as a whole on boards of the test's own: its scripts link
// nothing, and leave the results that it says (driver/verify/verb_verify.cpp, ahead.cpp,
// ahead_case.cpp, board.cpp, runner.cpp, verdict.cpp).
#include <catch2/catch.hpp>

#include "driver/set_variable.h"
#include "driver/verb_told.h"
#include "import/models.h"
#include "import/npy.h"
#include "import/writer.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

// Boards `all` and `none`, whose emulator there is not; a case `three` that gives 3 and one, `four`,
// that is said to give 4.
class ScriptedBoards {
 public:
  ScriptedBoards() : variable_("HLOCC_TOOLCHAINS", folder_.path() + "/toolchains") {
    folder_.write("toolchains/boards/presets/all.conf", std::string("cases=1\ncompiler=\nrun=\n"));
    folder_.write("toolchains/boards/presets/none.conf",
                  std::string("compiler=\nrun=no-such-emulator\n"));
    folder_.write("runtime_stub/hlocc_selftest.h", std::string("/* of the test */\n"));
    script("link_firmware.sh", "");
    script("run_board.sh", "for n in 0 1 2; do printf '\\0\\3\\0\\0\\0' >\"${2%/*}/$n.out\"; done");
    const hlo::Module rows = import::module_from(
        "HloModule m\nENTRY e {\n x = f32[4,2] parameter(0)\n ROOT s = f32[4,2] sine(x)\n}\n");
    const hlo::Literal zeros = hlo::Literal::zeros(rows.entry_result);
    folder_.write("rows.pb", import::write_snapshot(rows, {{zeros}, zeros}));
    snapshot("three", 3);
    snapshot("four", 4);
  }
  // Of the boards; `lines` of sh.
  void script(const std::string& name, const std::string& lines) const {
    program("toolchains/boards/" + name, lines);
  }
  std::string program(const std::string& name, const std::string& lines) const {
    const std::string path = folder_.write(name, "#!/bin/sh\n" + lines + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  // `verify CASE.pb...` and these words.
  Told verify(const std::vector<std::string>& cases, const std::string& words) const {
    std::string all = "verify";
    for (const std::string& name : cases) all += cat(" ", folder_.path(), "/", name, ".pb");
    return told_by(cat(all, " ", words));
  }

 private:
  void snapshot(const std::string& name, int32_t expected) const {
    const hlo::Module module =
        import::module_from("HloModule m\nENTRY e { ROOT c = s32[] constant(3) }\n");
    folder_.write(
        name + ".pb",
        import::write_snapshot(
            module, {{}, hlo::Literal::scalar<int32_t>(hlo::PrimitiveType::kS32, expected)}));
  }

  tests::TemporaryFolder folder_;
  tests::SetVariable variable_;
};

const std::string kOnAll = "--backend c --target cortex-m0 --board all";

TEST_CASE("cases are held against what the board leaves") {
  const ScriptedBoards boards;
  CHECK(boards.verify({"three"}, kOnAll).out == "1 passed, 0 failed, 0 skipped\n");
  const Told both = boards.verify({"three", "four"}, kOnAll);
  CHECK(both.code == kExitInput);
  CHECK(both.line("FAILED").starts_with("FAILED four: result0 "));
  CHECK(both.line("1 passed") == "1 passed, 1 failed, 0 skipped");
  boards.script("run_board.sh", "printf '\\7\\3\\0\\0\\0' >\"${2%/*}/0.out\"");
  CHECK(boards.verify({"three"}, kOnAll).line("FAILED") == "FAILED three: run returned 7");
  boards.script("run_board.sh", "echo so far; exit 5");
  CHECK(boards.verify({"three"}, kOnAll).line("FAILED") ==
        "FAILED three: the program died on the board: exit code 5: so far");
  boards.script("link_firmware.sh", "echo no such symbol; exit 1");
  CHECK(boards.verify({"three"}, kOnAll).line("FAILED") ==
        "FAILED three: does not link: no such symbol");
  CHECK(boards.verify({"three"}, "--backend c --target cortex-m0 --board none")
            .errors.starts_with("hlocc: error[missing-tool]: nothing ran: "
                                "no-such-emulator is not installed"));
}

#ifdef HLOCC_LLVM
TEST_CASE("with a target a board runs the code, whatever makes it") {
  const ScriptedBoards boards;
  boards.script("run_board.sh", "printf '\\7\\3\\0\\0\\0' >\"${2%/*}/0.out\"");
  CHECK(boards.verify({"three"}, "--target cortex-m0 --board all").line("FAILED") ==
        "FAILED three: run returned 7");
}
#endif

TEST_CASE("C and pushed rows are made in a batch for the host's board, other code runs at once") {
  const ScriptedBoards boards;  // there is no row of the host
  const auto is_asked = [&](const char* words) {
    const Told told = boards.verify({"three"}, words);
    const bool is = told.errors.find("there is no such board") != std::string::npos;
    CHECK(told.code == (is ? 2 : kExitDone));
    return is;
  };
  CHECK(is_asked("--backend c"));
  CHECK_FALSE(is_asked("--backend interpreter"));
#ifdef HLOCC_LLVM
  CHECK(is_asked("--backend cpu --stream 0"));
  CHECK_FALSE(is_asked("--backend cpu"));
#endif
  for (const char* words :
       {"--backend c --plugin none.so", "--backend cpu --stream 0 --plugin none.so"}) {
    const Told told = boards.verify({"three"}, words);
    CHECK(told.errors.find("there is no such board") == std::string::npos);
    CHECK(told.code != kExitDone);
  }
}

TEST_CASE("one target tells of cases as they come, several have a row each") {
  const ScriptedBoards boards;
  const std::string two = kOnAll + " --target cortex-m3", three = two + " --target cortex-m4f";
  CHECK(boards.verify({"three"}, kOnAll + " -v").errors.find("case 1 of 1: three") !=
        std::string::npos);
  const Told of_two = boards.verify({"three"}, two + " -v");
  CHECK(of_two.errors.find("running on cortex-m3") != std::string::npos);
  CHECK(of_two.errors.find("case 1 of 1") == std::string::npos);
  CHECK(of_two.line("cortex-m0") == "cortex-m0       1       0        0");
  CHECK(of_two.line("cortex-m3") == "cortex-m3       1       0        0");
  CHECK(of_two.line("2 passed") == "2 passed, 0 failed, 0 skipped");
  CHECK(boards.verify({"four"}, three).line("0 passed") == "0 passed, 3 failed, 0 skipped");
}

TEST_CASE("what a command of the user's says of a case") {
  const ScriptedBoards boards;
  const std::string on = "--backend c --target cortex-m0 --runner ";
  const std::string begin = "echo hlocc-selftest begin $HLOCC_TEST\n",
                    end = "echo hlocc-selftest end $HLOCC_TEST passed 2 failed 0\n";
  const std::string passes = boards.program("passes", begin + end);
  CHECK(boards.verify({"three"}, on + passes).out == "1 passed, 0 failed, 0 skipped\n");
  // It is given a folder, or a program for the board that is named.
  const std::string folder =
      boards.program("folder", "test -f $1/selftest.c || exit 9\n" + begin + end);
  CHECK(boards.verify({"three"}, on + folder).code == kExitDone);
  CHECK(
      boards.verify({"three"}, on + folder + " --board all").line("FAILED") ==
      "FAILED three: the runner failed: exit code 9; the board printed no line of hlocc-selftest; "
      "nothing was printed");
  CHECK(boards.verify({"three"}, on + passes + " --board all").code == kExitDone);
  CHECK(boards.verify({"three"}, on + passes + " --board none").code == kExitEnvironment);
  boards.script("link_firmware.sh", "echo too large; exit 1");
  CHECK(boards.verify({"three"}, on + passes + " --board all").line("FAILED") ==
        "FAILED three: error[run]: does not link for the board all: too large");
  CHECK(boards.verify({"three"}, on + passes).code == kExitDone);
  // Of several targets each is given to the command; a board that there is not ends all.
  const std::string names =
      boards.program("names", "echo $HLOCC_TARGET >>" + passes + ".log\n" + begin + end);
  CHECK(boards.verify({"three"}, on + names + " --target cortex-m3 -j 1").code == kExitDone);
  std::ifstream log(passes + ".log");
  std::string first, second;
  log >> first >> second;
  CHECK(first == "cortex-m0");
  CHECK(second == "cortex-m3");
  CHECK(boards.verify({"three"}, on + passes + " --target cortex-m3 --board nowhere").code == 2);
  CHECK(boards.verify({"three"}, on + passes + " --target cortex-m3").code == kExitDone);
}

TEST_CASE("rows of several windows are pushed where they are so many apart") {
  const ScriptedBoards boards;
  // A byte and 32 of results for each way to push them and the plain run, for each window.
  const std::pair<const char*, int> rows[] = {
      {"", 4 * 33}, {" --every 1", 4 * 4 * 33}, {" --every 2", 4 * 4 * 33}};
  for (const auto& [every, bytes] : rows) {
    INFO(every);
    boards.script("run_board.sh", cat("head -c ", bytes, " /dev/zero >\"${2%/*}/0.out\""));
    CHECK(boards.verify({"rows"}, cat(kOnAll, " --stream x", every)).code == kExitDone);
    boards.script("run_board.sh", cat("head -c ", bytes + 1, " /dev/zero >\"${2%/*}/0.out\""));
    CHECK(boards.verify({"rows"}, cat(kOnAll, " --stream x", every)).line("FAILED") ==
          "FAILED rows: the program ended without results");
    const std::string knows =
        boards.program("knows", cat("if grep -q _STREAM_EVERY $1/model.h; then exit ",
                                    *every == 0 ? "9; fi" : "0; fi; exit 9"));
    CHECK(boards
              .verify({"rows"},
                      cat("--backend c --target cortex-m0 --stream x", every, " --runner ", knows))
              .line("FAILED") ==
          "FAILED rows: the board printed no line of hlocc-selftest; nothing was printed");
  }
}

TEST_CASE("a board that there is not ends all, of several targets too") {
  const ScriptedBoards boards;
  const std::string two = "--backend c --target cortex-m0 --target cortex-m3";
  const Told told = boards.verify({"three"}, two);
  CHECK(told.code == 2);
  CHECK(told.out.empty());
}

TEST_CASE("what is expected may be given without any arguments") {
  const tests::TemporaryFolder folder;
  const std::string model =
      folder.write("m.hlo", std::string("HloModule m\nENTRY e { ROOT c = s32[] constant(3) }\n"));
  for (const int32_t expected : {3, 4}) {
    const std::string file = folder.write("e.npy", import::write_npy(hlo::Literal::scalar<int32_t>(
                                                       hlo::PrimitiveType::kS32, expected)));
    CHECK(told_by(cat("verify ", model, " --backend interpreter --expect 0=", file)).code ==
          (expected == 3 ? kExitDone : kExitInput));
  }
}

TEST_CASE("a suite of no schedules is a suite") {
  const Told told = told_by("verify --streams 0 --backend interpreter");
  CHECK(told.out == "1 passed, 0 failed, 0 skipped\n");
  CHECK(told.code == kExitDone);
  CHECK(told_by("verify --streams 0 --backend npu").code == 2);
}

}  // namespace
}  // namespace hlocc::driver
