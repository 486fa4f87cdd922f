// The time report's rows, and the line of progress.
#include "driver/pipeline/stage_clock.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <thread>

namespace hlocc::driver {
namespace {

using namespace std::chrono_literals;

std::string contents(std::FILE* file) {
  std::string text(4096, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// What a clock says is held against one that is read before and after it, whatever else the machine
// does in between.
TEST_CASE("a stage that runs twice has one row, and rows add up to the time that passed") {
  const double outer = seconds_now();
  StageTimes times;
  const double inner = seconds_now();
  std::this_thread::sleep_for(20ms);
  const double before_second = seconds_now();
  times.charge("first");
  times.charge("second");
  const double after_second = seconds_now();
  std::this_thread::sleep_for(20ms);
  const double inner_end = seconds_now();
  times.charge("first");
  const double outer_end = seconds_now();
  REQUIRE(times.rows().size() == 2);
  const StageTime &first = times.rows()[0], &second = times.rows()[1];
  CHECK(first.stage == "first");
  CHECK(first.wall_seconds >= 0.04);
  CHECK(second.wall_seconds <= after_second - before_second);
  CHECK(first.wall_seconds + second.wall_seconds >= inner_end - inner);
  CHECK(first.wall_seconds + second.wall_seconds <= outer_end - outer);
  // Sleeping takes no processor.
  CHECK(first.cpu_seconds <= first.wall_seconds - 0.03);
}

TEST_CASE("what a child measured is not charged again to who waited for it") {
  const double outer = seconds_now();
  StageTimes times;
  const double inner = seconds_now();
  std::this_thread::sleep_for(30ms);
  times.add({"child", 5, 0.025});
  const double inner_end = seconds_now();
  times.charge("waiting");
  const double outer_end = seconds_now();
  REQUIRE(times.rows().size() == 2);
  CHECK(times.rows()[0].cpu_seconds == 5);
  CHECK(times.rows()[1].wall_seconds >= inner_end - inner - 0.025 - 1e-6);
  CHECK(times.rows()[1].wall_seconds <= outer_end - outer - 0.025 + 1e-6);
}

TEST_CASE("the report is a table with a sum and the memory") {
  StageTimes times;
  times.add({"lower", 0.25, 0.5});
  times.add({"plan", 0.5, 0.75});
  const std::string report = time_report(times);
  CHECK(report.find("lower                            0.250     0.500\n") != std::string::npos);
  CHECK(report.find("total                            0.750     1.250\n") != std::string::npos);
  CHECK(report.find("peak memory: ") != std::string::npos);
}

TEST_CASE("the line of progress comes after a while, names the stage and goes") {
  std::FILE* file = std::tmpfile();
  {
    Progress progress(file, 20ms, 5ms);
    progress.now_at("planning");
    while (contents(file).empty()) std::this_thread::sleep_for(5ms);
  }
  const std::string text = contents(file);
  CHECK(text.find("hlocc: planning, ") != std::string::npos);
  CHECK(text.ends_with("\r\033[K"));
  std::fclose(file);
}

TEST_CASE("the rest takes as long as the pace until now says") {
  // A quarter took 10 s.
  CHECK(time_left({0.25}, 10, 10) == "about 30 s left");
  CHECK(time_left({0.25}, 10, 25) == "about 15 s left");
  CHECK(time_left({0.25}, 10, 38.9) == "about 1 s left");
  CHECK(time_left({0.25}, 10, 39.1).empty());
  CHECK(time_left({0.25}, 39, 39) == "about 117 s left");
  CHECK(time_left({0.25}, 40, 40) == "about 2 min left");
  CHECK(time_left({0.5, true}, 10, 10) == "at most 10 s left");
  for (const double share : {0.0, 0.02, 1.0}) CHECK(time_left({share}, 10, 10).empty());
  // Just on the other side of each bound.
  CHECK(time_left({0.03}, 3, 3) == "about 97 s left");
  CHECK(time_left({1.0}, 10, 5).empty());
  CHECK(time_left({0.25}, 10, 39) == "about 1 s left");
  CHECK(time_left({0.25}, 40, 40.5) == "about 120 s left");
}

TEST_CASE("a stage of a compilation says how much is done, of all targets") {
  StageClock clock;
  double before = 0;
  for (const char* stage : {"passes", "lowering", "planning", "code generation", "packaging"}) {
    const double done = share_of(clock, stage);
    CHECK(done > before);
    before = done;
  }
  CHECK(before < share_of(clock, "writing"));
  CHECK(share_of(clock, "reading") == 0);
  const double alone = share_of(clock, "planning");
  clock.target = 1, clock.targets = 2;
  CHECK(share_of(clock, "planning") == (1 + alone) / 2);
  begin_stage(nullptr, "passes");
  StageClock unwatched;
  begin_stage(&unwatched, "passes");
}

TEST_CASE("what is done at once says nothing, and without a terminal nothing is ever said") {
  std::FILE* file = std::tmpfile();
  { Progress quick(file, 1000h); }
  CHECK(contents(file).empty());
  Progress silent(nullptr, 0ms);
  silent.now_at("planning");
  std::fclose(file);
}

}  // namespace
}  // namespace hlocc::driver
