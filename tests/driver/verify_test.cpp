// The exit code of `verify`: 0 only if every case passed, or was left out for a reason that is not
// ours to mend, and something ran.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "driver/cli/verbs.h"
#include "driver/verify/tally.h"
#include "driver/verify/verdict.h"
#include "import/reader.h"
#include "import/writer.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

class SnapshotFolder {
 public:
  SnapshotFolder() {
    std::string pattern = (fs::temp_directory_path() / "hlocc_verify_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~SnapshotFolder() { fs::remove_all(path_); }
  // A snapshot of a module without arguments, given as text.
  std::string snapshot(const char* name, const std::string& text,
                       const hlo::Literal& result) const {
    const Result<import::Imported> imported =
        import::read_model(std::as_bytes(std::span(text)), name);
    REQUIRE(imported.ok());
    const std::vector<std::byte> bytes = import::write_snapshot(imported->module, {{}, result});
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  fs::path path_;
};

// A case that gives 100.5 where 100 is expected, and beside it the rule that only equal numbers
// pass.
std::string exact_case(const SnapshotFolder& folder) {
  const std::string path =
      folder.snapshot("near.pb", "HloModule m\nENTRY e { ROOT c = f32[] constant(100.5) }",
                      hlo::Literal::scalar<float>(hlo::PrimitiveType::kF32, 100));
  std::ofstream(path.substr(0, path.rfind('.')) + ".json") << R"({"tolerance": {"exact": true}})";
  return path;
}

int exit_code(std::vector<std::string> paths, bool allow_skips = false) {
  CommandLine line;
  line.models = std::move(paths);
  line.verify.allow_skips = allow_skips;
  line.backend = "interpreter";
  const Result<int> code = verb_verify(line);
  REQUIRE(code.ok());
  return *code;
}

TEST_CASE("--rtol and --atol stand instead of the cases' own rules") {
  const SnapshotFolder folder;
  const std::string near = exact_case(folder);
  const auto verdict = [&](std::optional<double> rtol, std::optional<double> atol) {
    CommandLine line;
    line.models = {near};
    line.backend = "interpreter";
    line.verify.rtol = rtol;
    line.verify.atol = atol;
    const Result<int> code = verb_verify(line);
    REQUIRE(code.ok());
    return *code;
  };
  CHECK(verdict({}, {}) == 1);
  CHECK((verdict(0.005, {}) == 0 && verdict(0.0049, {}) == 1));
  CHECK((verdict({}, 0.5) == 0 && verdict({}, 0.49) == 1));
  CHECK((verdict(0.002, 0.3) == 0 && verdict(0.002, 0.29) == 1));
  CHECK(verdict(0, 0) == 1);
}

TEST_CASE("verify's exit code") {
  const SnapshotFolder folder;
  const hlo::Literal three = hlo::Literal::scalar<int32_t>(hlo::PrimitiveType::kS32, 3);
  const std::string right =
      folder.snapshot("right.pb", "HloModule m\nENTRY e { ROOT c = s32[] constant(3) }", three);
  const std::string wrong =
      folder.snapshot("wrong.pb", "HloModule m\nENTRY e { ROOT c = s32[] constant(4) }", three);
  const std::string lacks =
      folder.snapshot("lacks.pb",
                      "HloModule m\nENTRY e { t = token[] after-all()\n i = (s32[], token[]) "
                      "infeed(t)\n ROOT c = s32[] get-tuple-element(i), index=0 }",
                      three);
  CHECK(exit_code({right}) == 0);
  CHECK(exit_code({wrong}) == 1);
  // What lacks an op is skipped, and yet not in order.
  CHECK(exit_code({lacks}) == 1);
  CHECK(exit_code({right, lacks}) == 1);
  CHECK(exit_code({lacks, wrong}) == 1);
  CHECK(exit_code({lacks}, true) == 1);
}

TEST_CASE("of several targets the worst code counts") {
  using enum Verdict;
  struct Row {
    std::vector<Verdict> first, second;
    int code;
  };
  const Row rows[] = {{{kPassed}, {kPassed}, kExitDone},
                      {{kPassed}, {kFailed}, kExitInput},
                      {{kFailed}, {kPassed}, kExitInput},
                      {{kPassed, kNoTool}, {kPassed}, kExitDone},
                      {{kPassed}, {kNoTool}, kExitEnvironment},
                      {{kPassed}, {kSkipped}, kExitInput},
                      {{kEnvironment}, {kPassed}, kExitEnvironment},
                      {{kEnvironment}, {kFailed}, kExitInput},
                      {{kPassed}, {}, kExitInput}};
  CommandLine line;
  line.targets = {"a", "b"};
  for (const Row& row : rows) {
    Progress silent(nullptr);
    Tally tally(line, false, {}, silent);
    for (const auto& verdicts : {row.first, row.second}) {
      tally.begin_target("t");
      for (const Verdict verdict : verdicts) tally.add({}, {.verdict = verdict, .why = "w"});
    }
    CHECK(tally.finish() == row.code);
  }
}

TEST_CASE("outcomes of several cases go through one pipe") {
  const std::vector<CaseOutcome> cases = {
      {Verdict::kPassed, "", 0.25, {{"host", 3}}, "0123"},
      {Verdict::kSkipped, "two\nlines; and more", 1.5, {}},
  };
  ChildOutcome child{.finished = true, .output = to_text(cases, 2)};
  const std::vector<CaseOutcome> back = outcomes_of(child, 2);
  REQUIRE(back.size() == 2);
  CHECK((back[0].verdict == Verdict::kPassed && back[0].cpu_seconds == 0.25));
  CHECK((back[0].ops == cases[0].ops && back[0].results_sha256 == "0123"));
  CHECK((back[1].why == "two lines; and more" && back[1].cpu_seconds == 1.5));
  // A child that died left no answer, and one that could not begin is the environment's.
  child = {.finished = false, .failure = "signal 9 (Killed)"};
  CHECK(outcomes_of(child, 2)[1].verdict == Verdict::kFailed);
  CHECK(outcomes_of(child, 2)[1].why == "signal 9 (Killed)");
  // What it told before it died is no answer.
  child.output = to_text(cases, 2);
  CHECK(outcomes_of(child, 2)[0].verdict == Verdict::kFailed);
  CHECK(outcomes_of(child, 2)[0].why == "signal 9 (Killed)");
  child = {.finished = true,
           .output = to_text(error(DiagnosticKind::kEnvironment, "no folder to be had"), 2)};
  CHECK(outcomes_of(child, 2)[0].verdict == Verdict::kEnvironment);
  CHECK(outcomes_of(child, 3)[2].why == "gave no answer");
}

TEST_CASE("what verdicts come to") {
  using enum Verdict;
  struct Row {
    std::vector<Verdict> verdicts;
    int others, code, code_with_skips;
  };
  const Row rows[] = {
      {{}, 0, kExitInput, kExitDone},
      {{}, 1, kExitDone, kExitDone},
      {{kPassed}, 0, kExitDone, kExitDone},
      {{kSkipped}, 0, kExitInput, kExitDone},
      {{kNoTool}, 0, kExitEnvironment, kExitDone},
      {{kNoTool, kSkipped}, 0, kExitEnvironment, kExitDone},
      {{kPassed, kSkipped, kNoTool}, 0, kExitDone, kExitDone},
      {{kNoTool}, 1, kExitDone, kExitDone},
      {{kPassed, kUnsupported}, 0, kExitInput, kExitInput},
      {{kEnvironment}, 0, kExitEnvironment, kExitEnvironment},
      {{kPassed, kEnvironment}, 0, kExitEnvironment, kExitEnvironment},
      {{kPassed, kEnvironment, kFailed}, 0, kExitInput, kExitInput},
      {{kFailed, kNoTool}, 0, kExitInput, kExitInput},
  };
  for (const Row& row : rows) {
    VerdictCounts counts;
    for (const Verdict verdict : row.verdicts) counts.add(verdict);
    CHECK(counts.exit(row.others, false) == row.code);
    CHECK(counts.exit(row.others, true) == row.code_with_skips);
    CHECK(static_cast<size_t>(counts.passed() + counts.failed() + counts.skipped()) ==
          row.verdicts.size());
  }
}

TEST_CASE("the verdict of a case that ends in a diagnostic") {
  const auto verdict = [](DiagnosticKind kind) {
    const CaseOutcome outcome = CaseOutcome::of(error(kind, "why"));
    CHECK(outcome_of({true, to_text(outcome), "", false, "", 0}).verdict == outcome.verdict);
    return outcome.verdict;
  };
  CHECK(verdict(DiagnosticKind::kUnsupported) == Verdict::kUnsupported);
  CHECK(verdict(DiagnosticKind::kBudget) == Verdict::kSkipped);
  CHECK(verdict(DiagnosticKind::kMissingTool) == Verdict::kNoTool);
  CHECK(verdict(DiagnosticKind::kEnvironment) == Verdict::kEnvironment);
  CHECK(verdict(DiagnosticKind::kRun) == Verdict::kFailed);
}

}  // namespace
}  // namespace hlocc::driver
