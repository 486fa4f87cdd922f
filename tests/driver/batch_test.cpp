// Batches of `verify --target` on boards that are made up: which cases go together, and what
// becomes of each where programs do not link, die or hang (driver/verify/batch.cpp); the facts of a
// case as a child tells them; what a runner's output comes to.
#include "driver/verify/batch.h"

#include <catch2/catch.hpp>
#include <set>

#include "driver/verify/guard.h"
#include "driver/verify/runner.h"
#include "driver/verify/stream_case.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

CompiledCase compiled_case(int number, int64_t flash = 0, int64_t ram = 0) {
  CompiledCase out;
  out.facts.number = number;
  out.flash_bytes = flash;
  out.ram_bytes = ram;
  return out;
}

TEST_CASE("a case alone has room on a board or is told why not") {
  const auto told = [](int64_t flash, int64_t ram, int64_t board_flash, int64_t board_ram) {
    return lack_of_room(compiled_case(0, flash, ram),
                        {.flash_bytes = board_flash, .bulk_bytes = board_ram}, false);
  };
  CHECK(told(1 << 30, 1 << 30, 0, 0).empty());
  CHECK(told(100, 0, kFlashReserve + 100, 0).empty());
  CHECK(told(101, 0, kFlashReserve + 100, 0) == "needs 101 bytes of flash, the board has 65636");
  CHECK(told(0, 0, 1, 0) == "needs 0 bytes of flash, the board has 1");
  CHECK(told(0, 100, 0, 100).empty());
  CHECK(told(0, 101, 0, 100) == "needs 101 bytes of RAM, the board has 100");
  CHECK(told(0, 2, 0, 1) == "needs 2 bytes of RAM, the board has 1");
  // What stands between guards needs more.
  CompiledCase guarded = compiled_case(0, 0, 10);
  guarded.facts.argument_bytes = {4};
  const int64_t with_guards = 10 + guard_room(guarded.facts);
  CHECK(lack_of_room(guarded, {.bulk_bytes = with_guards}, true).empty());
  CHECK(lack_of_room(guarded, {.bulk_bytes = with_guards - 1}, true) ==
        cat("needs ", with_guards, " bytes of RAM, the board has ", with_guards - 1));
  CHECK(lack_of_room(guarded, {.bulk_bytes = 10}, false).empty());
}

TEST_CASE("a batch takes as many cases as board and flash have room for") {
  const Board few{.cases = 2}, small{.flash_bytes = kFlashReserve + 100, .cases = 50};
  CaseBatch batch(few);
  CHECK(batch.cases().empty());
  for (int i = 0; i < 2; ++i) {
    CHECK(batch.has_room_for(compiled_case(i, 1 << 30)));
    batch.add(compiled_case(i, 1 << 30));
  }
  CHECK_FALSE(batch.has_room_for(compiled_case(2)));
  CHECK(batch.cases().size() == 2);
  batch.clear();
  CHECK(batch.cases().empty());
  CHECK(batch.has_room_for(compiled_case(2)));
  CaseBatch tight(small);
  tight.add(compiled_case(0, 60));
  CHECK(tight.has_room_for(compiled_case(1, 40)));
  CHECK_FALSE(tight.has_room_for(compiled_case(1, 41)));
  tight.clear();
  CHECK(tight.has_room_for(compiled_case(1, 100)));
  CHECK_FALSE(tight.has_room_for(compiled_case(1, 101)));
}

// A board where some cases keep a program from linking and others end it; what was asked of it.
struct MadeUpBoard {
  std::set<int> unlinkable, deadly;
  std::string failure = "exit code 1", output;
  bool has_processes = true, has_linker = true;
  std::vector<std::string> asked;

  // "0 passed compared; 1 failed ...": of so many cases.
  std::string outcomes_of_cases(int count) {
    std::vector<CompiledCase> cases;
    for (int i = 0; i < count; ++i) cases.push_back(compiled_case(i));
    std::vector<CaseOutcome> outcomes(static_cast<size_t>(count),
                                      {.verdict = Verdict::kSkipped, .why = "untouched"});
    std::span<const CompiledCase> linked;
    int reached = 0;
    const auto numbers = [](std::span<const CompiledCase> all) {
      std::string out;
      for (const CompiledCase& one : all) out += std::to_string(one.facts.number);
      return out;
    };
    const BatchTools tools = {
        [&](std::span<const CompiledCase> batch) -> Result<ChildOutcome> {
          asked.push_back("link " + numbers(batch));
          if (!has_linker) return error(DiagnosticKind::kRun, "no disk");
          linked = batch;
          for (const CompiledCase& one : batch)
            if (unlinkable.contains(one.facts.number))
              return ChildOutcome{.output = cat("no ", one.facts.number, "\n")};
          return ChildOutcome{.finished = true};
        },
        [&](size_t first) {
          asked.push_back("run " + numbers(linked.subspan(first)));
          if (!has_processes) return ChildOutcome{.failure = "no process", .environment = true};
          for (reached = static_cast<int>(first); reached < static_cast<int>(linked.size());
               ++reached)
            if (deadly.contains(linked[static_cast<size_t>(reached)].facts.number))
              return ChildOutcome{.output = output, .failure = failure};
          return ChildOutcome{.finished = true};
        },
        [&](const BatchCase& one) {
          for (int i = 0; i < reached; ++i)
            if (linked[static_cast<size_t>(i)].facts.number == one.number) return true;
          return false;
        },
        [&](const BatchCase&) { return CaseOutcome{.why = "compared"}; }};
    run_case_batch(cases, tools, false, outcomes);
    std::vector<std::string> out;
    for (int i = 0; i < count; ++i) {
      const CaseOutcome& one = outcomes[static_cast<size_t>(i)];
      out.push_back(cat(i, " ", word_of(one.verdict), " ", one.why));
    }
    return join(out, "; ");
  }
};

TEST_CASE("all cases of a batch that links and runs are compared") {
  MadeUpBoard board;
  CHECK(board.outcomes_of_cases(3) == "0 passed compared; 1 passed compared; 2 passed compared");
  CHECK(board.asked == std::vector<std::string>{"link 012", "run 012"});
  board.asked.clear();
  CHECK(board.outcomes_of_cases(0).empty());
  CHECK(board.asked.empty());
}

TEST_CASE("a batch that does not link is halved until the culprit stands alone") {
  MadeUpBoard board{.unlinkable = {3}};
  CHECK(board.outcomes_of_cases(5) ==
        "0 passed compared; 1 passed compared; 2 passed compared; 3 failed does not link: no 3; "
        "4 passed compared");
  CHECK(board.asked == std::vector<std::string>{"link 01234", "link 01", "run 01", "link 234",
                                                "link 2", "run 2", "link 34", "link 3", "link 4",
                                                "run 4"});
  board = {.unlinkable = {0, 1}};
  CHECK(board.outcomes_of_cases(2) == "0 failed does not link: no 0; 1 failed does not link: no 1");
}

TEST_CASE("a program that dies is started again behind the case that killed it") {
  MadeUpBoard board{.deadly = {0, 2}};
  const std::string died = "failed the program died on the board: exit code 1";
  CHECK(board.outcomes_of_cases(4) ==
        cat("0 ", died, "; 1 passed compared; 2 ", died, "; 3 passed compared"));
  CHECK(board.asked == std::vector<std::string>{"link 0123", "run 0123", "run 123", "run 3"});
  // The last one killed it: nothing is left to run.
  board = {.deadly = {1}};
  CHECK(board.outcomes_of_cases(2) == cat("0 passed compared; 1 ", died));
  CHECK(board.asked == std::vector<std::string>{"link 01", "run 01"});
}

TEST_CASE("where nothing can be linked or started no case is to blame") {
  MadeUpBoard board{.has_linker = false};
  CHECK(board.outcomes_of_cases(2) == "0 failed error[run]: no disk; 1 failed error[run]: no disk");
  CHECK(board.asked == std::vector<std::string>{"link 01"});
  board = {.has_processes = false};
  CHECK(board.outcomes_of_cases(2) ==
        "0 failed error[environment]: no process; 1 failed error[environment]: no process");
  CHECK(board.asked == std::vector<std::string>{"link 01", "run 01"});
}

TEST_CASE("how a program died, in words") {
  BatchCase one;
  one.argument_bytes = {4};
  const auto told = [&](const std::string& failure, const std::string& output, bool guard) {
    return how_it_died({.output = output, .failure = failure}, one, guard);
  };
  CHECK(told("exit code 124", "words", false) == "ran longer than 200 s on the board");
  CHECK(told("", "words", false) == "the program ended without results");
  CHECK(told("exit code 3", "", false) == "the program died on the board: exit code 3");
  CHECK(told("exit code 3", "a\nb\n\n", false) ==
        "the program died on the board: exit code 3: a b");
  CHECK(told("signal 11 (Segmentation fault)", "hlocc-guard 1 0", true) ==
        "an access before the arena (all held zeros before)");
  CHECK(told("signal 11", "hlocc-guard 1 0", false) ==
        "the program died on the board: signal 11: hlocc-guard 1 0");
  CHECK(told("signal 11", "words", true) == "the program died on the board: signal 11: words");
  CHECK(told("exit code 3", "caf\xc3\xa9!", false) ==
        "the program died on the board: exit code 3: caf  !");
  // No more than the end of what was said.
  const std::string head = "the program died on the board: exit code 3: ";
  CHECK(told("exit code 3", "a" + std::string(299, 'x'), false) ==
        head + "a" + std::string(299, 'x'));
  CHECK(told("exit code 3", "a" + std::string(300, 'x'), false) == head + std::string(300, 'x'));
}

TEST_CASE("how long the output file of a case is") {
  BatchCase one;
  CHECK(output_bytes(one, false) == 1);
  one.result_bytes = {4, 0, 3};
  CHECK(output_bytes(one, false) == 8);
  CHECK(output_bytes(one, true) == guard_file_bytes(one));
  one.argument_bytes = {6};
  one.stream = BatchStream{.rows = 3, .row_bytes = 2};
  CHECK(output_bytes(one, false) == stream_file_bytes(one));
}

TEST_CASE("the facts of a compiled case are numbers, one a word") {
  const CompiledCase plain = read_facts(7, "100 16 0 5000 40 -1 2 4 0 0 1 1 8 0");
  CHECK(plain.facts.number == 7);
  CHECK(plain.facts.arena_bytes == 100);
  CHECK(plain.facts.arena_align == 16);
  CHECK_FALSE(plain.facts.several_arenas);
  CHECK(plain.flash_bytes == 5000);
  CHECK(plain.ram_bytes == 140);
  CHECK_FALSE(plain.facts.stream);
  CHECK(plain.facts.argument_bytes == std::vector<int64_t>{4, 0});
  CHECK(plain.facts.argument_donated == std::vector<bool>{false, true});
  CHECK(plain.facts.result_bytes == std::vector<int64_t>{8});
  CHECK(plain.facts.result_donated == std::vector<bool>{false});
  for (const int leaf : {0, 1}) {
    const CompiledCase streamed =
        read_facts(0, cat("100 64 1 5000 0 ", leaf, " 3 2 5 2 4 6 0 0 0"));
    CHECK(streamed.facts.several_arenas);
    REQUIRE(streamed.facts.stream);
    CHECK(streamed.facts.stream->leaf == static_cast<size_t>(leaf));
    CHECK(streamed.facts.stream->rows == 3);
    CHECK(streamed.facts.stream->row_bytes == 2);
    CHECK(streamed.facts.stream->every == 5);
    CHECK(streamed.ram_bytes == 112);
    CHECK(streamed.facts.argument_bytes == std::vector<int64_t>{4, 6});
    CHECK(streamed.facts.result_bytes.empty());
  }
}

TEST_CASE("what a runner's output comes to") {
  const auto told = [](bool finished, const char* failure, const std::string& output) {
    const CaseOutcome out =
        outcome_of_run({.finished = finished, .output = output, .failure = failure}, "kws add", 2);
    return cat(word_of(out.verdict), " ", out.why);
  };
  const std::string begin = "hlocc-selftest begin kws add\n",
                    passed = begin + "hlocc-selftest end kws add passed 2 failed 0\n",
                    failed = begin +
                             "hlocc-selftest FAIL result 0\n"
                             "hlocc-selftest end kws add passed 1 failed 1\n",
                    nothing = "the board printed no line of hlocc-selftest; nothing was printed";
  CHECK(told(true, "", passed) == "passed ");
  CHECK(told(true, "", failed) == "failed on the board: FAIL result 0");
  CHECK(told(true, "", "") == "failed " + nothing);
  CHECK(told(false, "exit code 1", failed) == "failed on the board: FAIL result 0");
  CHECK(told(false, "exit code 1", passed) ==
        "failed the runner failed: exit code 1 after the test had passed");
  CHECK(told(false, "ran longer than 3 s", "") ==
        "failed the runner failed: ran longer than 3 s; " + nothing);
  const CaseOutcome none =
      outcome_of_run({.output = passed, .failure = "no sh", .environment = true}, "kws add", 2);
  CHECK(none.verdict == Verdict::kEnvironment);
}

}  // namespace
}  // namespace hlocc::driver
