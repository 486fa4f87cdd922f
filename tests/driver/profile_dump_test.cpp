// Dumps of profiles as they are read and joined with layers: each line of one damaged, each number
// on both sides of what it may be, and what a run is made of (driver/analyze/profile.h).
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/analyze/profile.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string told(const std::string& text) {
  const Result<std::vector<ProfileDump>> read = read_dumps(text, "log.txt");
  if (!read) return read.error().to_string();
  std::string out;
  for (const ProfileDump& dump : *read) {
    out += cat(dump.model, " ", dump.target, " ", dump.level, " ", dump.hash, " ", dump.runs, ":");
    for (const StepTicks& step : dump.steps)
      out += cat(" ", step.calls, "/", step.total, "/", step.least, "/", step.most);
    out += ";";
  }
  return out;
}

TEST_CASE("dumps are read between the lines of others") {
  CHECK(told("log: hlocc-steps begin m t -O2 0f steps 3 runs 2\nnoise\n"
             "12:00 hlocc-steps step 0 calls 2 total 120 least 50 most 70\r\n"
             "hlocc-steps step 2 calls 1 total 5 least 5 most 5\nhlocc-steps end\n"
             "hlocc-steps begin n t -Os 1f steps 0 runs 0\nhlocc-steps end") ==
        "m t -O2 0f 2: 2/120/50/70 0/0/0/0 1/5/5/5;n t -Os 1f 0:;");
  // Steps in any order; tabs and more than one blank are blanks.
  CHECK(told("hlocc-steps begin m t -O2 0f  steps\t2 runs 1\n"
             "hlocc-steps step 1 calls 1 total 0 least 0 most 0\n"
             "hlocc-steps step 0 calls 1 total 18446744073709551615 least 0 most 1\n"
             "hlocc-steps end\n") == "m t -O2 0f 1: 1/18446744073709551615/0/1 1/0/0/0;");
}

struct Damaged {
  std::string text;
  const char* told;  // begins with it
};

TEST_CASE("each line of a damaged dump is named with what is wrong") {
  const std::string begin = "hlocc-steps begin m t -O2 0f steps 2 runs 2\n",
                    step = "hlocc-steps step 0 calls 2 total 120 least 50 most 70\n",
                    end = "hlocc-steps end\n";
  const auto of_steps = [&](const char* steps) {
    return cat("hlocc-steps begin m t -O2 0f steps ", steps, " runs 2\n");
  };
  const auto a_step = [&](const char* words) { return cat("hlocc-steps step ", words, "\n"); };
  const Damaged all[] = {
      {cat(begin, a_step("0 calls 1 total 5 least 5 most 5"),
           a_step("0 calls 1 total 5 least 5 most 5"), end),
       "log.txt:3: error[format]: step 0 stands there twice"},
      {"", "log.txt: error[format]: holds no profile"},
      {"hlocc-step", "log.txt: error[format]: holds no profile"},
      {"hlocc-steps \n", "log.txt:1: error[format]: an empty line of a profile"},
      {"x\nhlocc-steps hello\n", "log.txt:2: error[format]: a profile has no line 'hello'"},
      {begin + "hlocc-steps end now\n", "log.txt:2: error[format]: a profile has no line 'end'"},
      {begin + step, "log.txt:2: error[format]: the profile is cut short: its end is missing"},
      {begin, "log.txt:1: error[format]: the profile is cut short: its end is missing"},
      {begin + begin, "log.txt:2: error[format]: a profile begins before the last one has ended"},
      {end, "log.txt:1: error[format]: a profile ends that did not begin"},
      {begin + end + end, "log.txt:3: error[format]: a profile ends that did not begin"},
      {step, "log.txt:1: error[format]: a step stands before the profile begins"},
      {begin + end + step, "log.txt:3: error[format]: a step stands before the profile begins"},
      {begin + step + step, "log.txt:3: error[format]: step 0 stands there twice"},
      {of_steps("-1") + end, "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {of_steps("1x") + end, "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {of_steps("1048577") + end,
       "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {of_steps("18446744073709551616") + end,
       "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {of_steps("1048576") + end + of_steps("1") + end,
       "log.txt:3: error[limit]: the profiles up to here have 1048577 steps together; 1048576 are "
       "read"},
      {"hlocc-steps begin m t -O2 0f steps 2\n",
       "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {"hlocc-steps begin m t -O2 0f steps 2 runs 2 more 1\n",
       "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {"hlocc-steps begin m t -O2 0f stairs 2 runs 2\n",
       "log.txt:1: error[format]: the line that begins a profile is damaged"},
      {begin + "hlocc-steps step\n", "log.txt:2: error[format]: the line of a step is damaged"},
      {begin + a_step("x calls 2 total 120 least 50 most 70"),
       "log.txt:2: error[format]: the line of a step is damaged"},
      {begin + a_step("0 calls 2 total 120 least 50"),
       "log.txt:2: error[format]: the line of a step is damaged"},
      {begin + a_step("0 calls 0 total 120 least 50 most 70"),
       "log.txt:2: error[format]: step 0 has no calls"},
      {begin + a_step("0 calls 2 total 120 least 71 most 70"),
       "log.txt:2: error[format]: step 0 took 71 ticks at least and 70 at most"},
      {begin + a_step("2 calls 2 total 120 least 50 most 70"),
       "log.txt:2: error[format]: step 2 of 2 steps"}};
  for (const Damaged& one : all) {
    INFO(one.text);
    CHECK(told(one.text).starts_with(one.told));
  }
  // Just inside.
  CHECK(told(begin + a_step("1 calls 1 total 70 least 70 most 70") + end) ==
        "m t -O2 0f 2: 0/0/0/0 1/70/70/70;");
  CHECK(told(of_steps("1048576") + end + of_steps("0") + end).ends_with("m t -O2 0f 2:;"));
}

// Layers called a, b, ..., of 10, 20, ... cycles.
std::vector<Layer> layers_of(int count) {
  std::vector<Layer> out(count);
  for (int i = 0; i < count; ++i) {
    out[i].launch.kernel = std::string(1, static_cast<char>('a' + i));
    out[i].launch.cycles = 10 * (i + 1);
  }
  return out;
}

TEST_CASE("ticks of a run and shares are those of the steps") {
  const ProfileDump dump = {"m",  "t", "-O2",
                            "0f", 4,   {{4, 120, 20, 40}, {0, 0, 0, 0}, {8, 40, 5, 5}}};
  const Profile joined = join_profile(dump, layers_of(3));
  CHECK(joined.ticks_of_run == 40);
  const auto json = to_json(joined, 80.0);
  CHECK(json["ticks_of_run"] == 40);
  CHECK(json["seconds_of_run"] == 0.5);
  REQUIRE(json["steps"].size() == 3);
  const double shares[] = {0.75, 0, 0.25};
  for (int i = 0; i < 3; ++i) {
    CHECK(joined.rows[i].share == shares[i]);
    CHECK(joined.rows[i].number == i);
    CHECK(json["steps"][i]["kernel"] == std::string(1, static_cast<char>('a' + i)));
    CHECK(json["steps"][i]["expected_cycles"] == 10 * (i + 1));
  }
  CHECK_FALSE(to_json(joined, std::nullopt).contains("seconds_of_run"));
  const std::string text = to_text(joined, 80.0, 200);
  CHECK(text.starts_with("m on t at -O2, 4 runs\n"));
  CHECK(text.find("sum      40 ticks a run, 500.000 ms\n") != std::string::npos);
  CHECK(to_text(joined, std::nullopt, 200).find("sum      40 ticks a run\n") != std::string::npos);
}

TEST_CASE("a board that never ran has no ticks and no shares") {
  const Profile joined = join_profile({"m", "t", "-O2", "0f", 0, {{0, 0, 0, 0}}}, layers_of(1));
  CHECK(joined.ticks_of_run == 0);
  CHECK(joined.rows[0].share == 0);
  CHECK(to_text(joined, std::nullopt, 200).find("sum      0 ticks a run\n") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
