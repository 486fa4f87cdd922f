// The time report's rows, and the line of progress.
#include "driver/stage_clock.h"

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

TEST_CASE("a stage that runs twice has one row, and rows add up to the time that passed") {
  StageTime now;
  StageTimes times([&] { return now; });
  now = {"", 1, 20};
  times.charge("first");
  now = {"", 3, 25};
  times.charge("second");
  now = {"", 7, 100};
  times.charge("first");
  REQUIRE(times.rows().size() == 2);
  CHECK(times.rows()[0].stage == "first");
  CHECK(times.rows()[0].cpu_seconds == 1 + 4);
  CHECK(times.rows()[0].wall_seconds == 20 + 75);
  CHECK(times.rows()[1].cpu_seconds == 2);
  CHECK(times.rows()[1].wall_seconds == 5);
}

TEST_CASE("what a child measured is not charged again to who waited for it") {
  StageTime now;
  StageTimes times([&] { return now; });
  now = {"", 2, 30};
  times.add({"child", 5, 25});
  times.charge("waiting");
  REQUIRE(times.rows().size() == 2);
  CHECK(times.rows()[0].cpu_seconds == 5);
  CHECK(times.rows()[1].cpu_seconds == 2);
  CHECK(times.rows()[1].wall_seconds == 5);
}

TEST_CASE("clocks go forward, and sleeping takes no processor's") {
  const StageTime before = clocks_now();
  std::this_thread::sleep_for(20ms);
  const StageTime after = clocks_now();
  CHECK(after.wall_seconds >= before.wall_seconds + 0.02);
  CHECK(after.cpu_seconds >= before.cpu_seconds);
  CHECK(after.cpu_seconds - before.cpu_seconds < after.wall_seconds - before.wall_seconds);
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
