// What `verify` prints of its cases, as lines and as JSON, and when it says that nothing ran.
#include "driver/verify/tally.h"

#include <catch2/catch.hpp>

#include "driver/captured_output.h"

namespace hlocc::driver {
namespace {

using enum Verdict;

struct TalliedCase {
  const char* name;
  CaseOutcome outcome;
};
struct Tallied {
  std::string out, errors;
  int code = 0;
};

// Each list of cases is a target's, where the line has targets.
Tallied tallied(const CommandLine& line, const std::vector<std::vector<TalliedCase>>& cases,
                const KnownGaps& gaps = {}, bool show_ops = false) {
  const tests::CapturedOutput out(stdout), errors(stderr);
  Tallied said;
  {
    Progress silent(nullptr);
    Tally tally(line, show_ops, gaps, silent);
    for (size_t i = 0; i < cases.size(); ++i) {
      if (!line.targets.empty()) tally.begin_target(line.targets[i]);
      for (const TalliedCase& one : cases[i]) tally.add({one.name, "", {}, nullptr}, one.outcome);
    }
    said.code = tally.finish();
  }
  said.out = out.text();
  said.errors = errors.text();
  return said;
}

TEST_CASE("cases that did not pass are lines, and the last line is the sum") {
  const CommandLine line;
  const Tallied said = tallied(line, {{{"a", {}},
                                       {"b", CaseOutcome::failed("result0 differs")},
                                       {"c", CaseOutcome::skipped("no room")}}});
  CHECK(said.out ==
        "FAILED b: result0 differs\nskipped c: no room\n1 passed, 1 failed, 1 skipped\n");
  CHECK(said.errors.empty());
  CHECK(said.code == kExitInput);
}

TEST_CASE("-q leaves the sum out, and not what failed") {
  CommandLine line;
  line.quiet = true;
  CHECK(tallied(line, {{{"a", {}}}}).out.empty());
  CHECK(tallied(line, {{{"b", CaseOutcome::failed("why")}}}).out == "FAILED b: why\n");
}

TEST_CASE("several targets have a table, and lines name theirs") {
  CommandLine line;
  line.targets = {"m4", "m0"};
  const Tallied said =
      tallied(line, {{{"a", {}}, {"b", {}}}, {{"a", {}}, {"b", CaseOutcome::failed("why")}}});
  CHECK(said.out ==
        "FAILED b on m0: why\n"
        "target  passed  failed  skipped\n"
        "m4           2       0        0\n"
        "m0           1       1        0\n"
        "3 passed, 1 failed, 0 skipped\n");
  const Tallied gaps =
      tallied(line, {{{"g", CaseOutcome::failed("x")}}, {{"a", {}}}}, {{"g", "old"}});
  CHECK(gaps.out ==
        "target  passed  failed  skipped  known gaps\n"
        "m4           0       0        0           1\n"
        "m0           1       0        0           0\n"
        "1 passed, 0 failed, 0 skipped, 1 known gaps\n");
  CHECK(gaps.code == kExitDone);
}

TEST_CASE("a known gap that passes is a failure") {
  const Tallied said = tallied({}, {{{"g", {}}}}, {{"g", "no such op"}});
  CHECK(said.out ==
        "FAILED g: passes, and yet it is a known gap: no such op\n"
        "0 passed, 1 failed, 0 skipped, 0 known gaps\n");
  CHECK(said.code == kExitInput);
}

TEST_CASE("ops are told where they ran on several devices, or where that is asked for") {
  CaseOutcome one, other;
  one.ops = {{"host", 3}};
  other.ops = {{"host", 1}, {"npu", 2}};
  const std::string sum = "1 passed, 0 failed, 0 skipped\n";
  CHECK(tallied({}, {{{"a", one}}}).out == sum);
  CHECK(tallied({}, {{{"a", one}}}, {}, true).out == "ops: host 3\n" + sum);
  CHECK(tallied({}, {{{"a", other}}}).out == "ops: host 1, npu 2\n" + sum);
  CHECK(tallied({}, {{{"a", one}, {"b", other}}}).out ==
        "ops: host 4, npu 2\n2 passed, 0 failed, 0 skipped\n");
}

TEST_CASE("a target on which nothing ran is told, unless that is allowed or another error stands") {
  CommandLine line;
  const std::string cure = "note: --allow-skips takes that for a success\n";
  CHECK(tallied(line, {}).errors == "hlocc: error[argument]: nothing ran\n" + cure);
  CHECK(tallied(line, {{{"a", CaseOutcome::skipped("no room")}}}).errors ==
        "hlocc: error[argument]: nothing ran\n" + cure);
  CHECK(tallied(line, {{{"a", CaseOutcome::no_tool("qemu is not installed")}}}).errors ==
        "hlocc: error[missing-tool]: nothing ran: qemu is not installed\n" + cure);
  CHECK(tallied(line, {{{"a", CaseOutcome::failed("why")}}}).errors.empty());
  CHECK(tallied(line, {{{"a", {}}, {"b", CaseOutcome::skipped("x")}}}).errors.empty());
  CHECK(tallied(line, {{{"g", CaseOutcome::failed("x")}}}, {{"g", "old"}}).errors.empty());
  line.targets = {"m4", "m0"};
  const Tallied one = tallied(line, {{{"a", {}}}, {{"a", CaseOutcome::no_tool("no qemu")}}});
  CHECK(one.errors == "hlocc: error[missing-tool]: nothing ran on m0: no qemu\n" + cure);
  CHECK(one.code == kExitEnvironment);
  line.verify.allow_skips = true;
  CHECK(tallied(line, {{}, {{"a", CaseOutcome::skipped("x")}}}).errors.empty());
}

TEST_CASE("as JSON all cases stand there, and the slowest") {
  CommandLine line;
  line.json = true;
  std::vector<TalliedCase> cases;
  const char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
  for (const char* name : names) {
    cases.push_back({name, {}});
    cases.back().outcome.cpu_seconds = static_cast<double>(cases.size());
  }
  cases[2].outcome = CaseOutcome::failed("why");
  const Tallied said = tallied(line, {cases});
  const nlohmann::json all = nlohmann::json::parse(said.out);
  CHECK(all["passed"] == 10);
  CHECK(all["failed"] == 1);
  CHECK(all["skipped"] == 0);
  CHECK(all["exit_code"] == 1);
  CHECK(all["targets"].empty());
  CHECK(all["cases"].size() == 11);
  CHECK(all["cases"][2]["status"] == "failed");
  CHECK(all["cases"][2]["why"] == "why");
  CHECK_FALSE(all["cases"][2].contains("target"));
  CHECK(all["slowest"] == nlohmann::json({"k", "j", "i", "h", "g", "f", "e", "d", "b", "a"}));
  line.targets = {"m4"};
  const nlohmann::json of_target = nlohmann::json::parse(tallied(line, {{{"a", {}}}}).out);
  CHECK(of_target["targets"][0]["target"] == "m4");
  CHECK(of_target["targets"][0]["exit_code"] == 0);
  CHECK(of_target["cases"][0]["target"] == "m4");
}

}  // namespace
}  // namespace hlocc::driver
