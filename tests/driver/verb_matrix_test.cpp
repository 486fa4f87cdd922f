// `hlocc matrix` as a whole, on models of one instruction that are compiled to C: which calls it
// refuses, what it leaves out, keeps and writes, and its exit code (driver/matrix/verb_matrix.cpp,
// compile_cells.cpp, verify_cells.cpp).
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/matrix/reports.h"
#include "driver/matrix/run.h"
#include "driver/verb_told.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using MatrixWords = std::vector<std::string>;

VerbCall matrix_call(const MatrixWords& words) {
  CommandLine line;
  line.models = words;
  return call_of(verb_matrix, line);
}

TEST_CASE("how many files `matrix`, `matrix diff` and `matrix merge` take") {
  const auto told = [](const MatrixWords& words) { return matrix_call(words).error; };
  const std::string two = "`hlocc matrix diff` takes two files",
                    some = "`hlocc matrix merge` takes the reports of all shards";
  CHECK(told({"diff"}) == two);
  CHECK(told({"diff", "none.json"}) == two);
  CHECK(told({"diff", "a", "b", "c"}) == two);
  CHECK(told({"merge"}) == some);
  CHECK(told({"a", "b"}) == "`hlocc matrix` takes one FILE, here are a and b");
  const std::string absent = told({"none.json"});
  CHECK_FALSE(absent.empty());
  CHECK(told({"diff", "none.json", "none.json"}) == absent);
  CHECK(told({"merge", "none.json"}) == absent);
  CHECK(told({"merge", "none.json", "none.json"}) == absent);
}

CellResult ended_cell(const char* verdict, std::optional<DiagnosticKind> failure = {}) {
  CellResult out;
  out.id = cat("a", verdict, failure ? cat(static_cast<int>(*failure)) : "");
  out.status = failure ? CellStatus::kFailed : CellStatus::kCompiled;
  if (*verdict != '\0') out.verdict = CellVerdict{verdict, "why", ""};
  if (failure) out.failure = error(*failure, "why");
  return out;
}

TEST_CASE("the exit code: our own faults, then the input's, then the environment's") {
  const tests::TemporaryFolder folder;
  const auto code = [&](const std::vector<CellResult>& cells, const MatrixWords& gates = {}) {
    const VerbCall call = matrix_call(
        MatrixWords{"merge", folder.write("r.json", to_json(MatrixReport{cells, gates}).dump())});
    INFO(call.error);
    return call.code;
  };
  using enum DiagnosticKind;
  const CellResult fine = ended_cell("passed"), wrong = ended_cell("failed"),
                   left = ended_cell("skipped"), bug = ended_cell("", kInternal),
                   input = ended_cell("", kBudget), machine = ended_cell("", kEnvironment);
  CHECK(code({}) == kExitDone);
  CHECK(code({ended_cell("")}) == kExitDone);
  CHECK(code({fine, left}) == kExitDone);
  CHECK(code({fine, wrong}) == kExitInput);
  CHECK(code({fine}, {"RAM grew"}) == kExitInput);
  CHECK(code({input, fine}) == kExitInput);
  CHECK(code({machine, fine}) == kExitEnvironment);
  CHECK(code({machine, input}) == kExitInput);
  CHECK(code({machine, wrong}) == kExitInput);
  CHECK(code({machine, input, bug}) == kExitBug);
}

// A folder with two models, one that is none, and a matrix of them.
class SmallMatrix {
 public:
  SmallMatrix() {
    for (const char* name : {"one.hlo", "two.hlo"})
      folder_.write(name, std::string("HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r "
                                      "= f32[4] negate(x)\n}\n"));
    folder_.write("bad.hlo", std::string(1000, '?'));
  }
  const std::string& path() const { return folder_.path(); }
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  // "MODEL/TARGET OUTCOME; ..." of a run with these models, one job if the line says no other number.
  std::string run(const MatrixWords& models, CommandLine line = {}, int* code = nullptr,
                  const char* target = "cortex-m0") const {
    nlohmann::ordered_json file = {
        {"output", "out"}, {"targets", split(target, ' ')}, {"options", {{"backend", "c"}}}};
    for (const std::string& model : models) file["models"][model] = model + ".hlo";
    line.models = {folder_.write("m.json", file.dump())};
    if (line.jobs == 0) line.jobs = 1;
    line.json = true;
    const VerbCall call = call_of(verb_matrix, line);
    INFO(call.error);
    REQUIRE(call.code >= 0);
    if (code != nullptr) *code = call.code;
    MatrixWords out;
    const auto report = nlohmann::json::parse(call.output);
    for (const auto& cell : report["cells"])
      out.push_back(cat(cell["id"].get<std::string>(), " ", cell["status"].get<std::string>(),
                        cell["why"].get<std::string>().empty() ? "" : ": ",
                        cell["why"].get<std::string>()));
    return join(out, "; ");
  }

 private:
  tests::TemporaryFolder folder_;
};

TEST_CASE("cells are compiled once, and known the next time") {
  const SmallMatrix matrix;
  int code = -1;
  CHECK(matrix.run({"one", "two"}, {}, &code) == "one/cortex-m0 compiled; two/cortex-m0 compiled");
  CHECK(code == 0);
  CHECK(std::filesystem::exists(matrix.path() + "/out/cortex-m0/one.h"));
  CHECK(matrix.run({"one", "two"}) == "one/cortex-m0 known; two/cortex-m0 known");
  // C for this machine is compiled anew each time.
  for (int i = 0; i < 2; ++i)
    CHECK(matrix.run({"one"}, {}, nullptr, "host") == "one/host compiled");
}

TEST_CASE("another shard's cells are left out, and a rule of make names what was written") {
  const SmallMatrix matrix;
  CommandLine line;
  line.shards = 2;
  line.depfile = matrix.path() + "/rule.d";
  const std::string first = matrix.run({"one", "two"}, line);
  line.shard = 1;
  const std::string second = matrix.run({"one", "two"}, line);
  CHECK(first == "one/cortex-m0 compiled; two/cortex-m0 left out: shard 1 compiles it");
  CHECK(second == "one/cortex-m0 left out: shard 0 compiles it; two/cortex-m0 compiled");
  std::ifstream file(line.depfile);
  const std::string rule((std::istreambuf_iterator<char>(file)), {});
  CHECK(rule.find("/out/cortex-m0/two.h") != std::string::npos);
  CHECK(rule.find("/out/cortex-m0/one.h") == std::string::npos);
  CHECK(rule.find("/m.json") != std::string::npos);
  CHECK(rule.find("/one.hlo") != std::string::npos);
}

TEST_CASE("without --fail-fast a failure keeps nothing else from being compiled") {
  const SmallMatrix matrix;
  CHECK(matrix.run({"bad", "two", "one"}) ==
        "bad/cortex-m0 failed; two/cortex-m0 compiled; one/cortex-m0 compiled");
}

TEST_CASE("with --fail-fast all is compiled where nothing fails") {
  const SmallMatrix matrix;
  matrix.write("three.hlo",
               "HloModule m\nENTRY e {\n  x = f32[3] parameter(0)\n  ROOT r = f32[3] "
               "negate(x)\n}\n");
  CommandLine fast;
  fast.matrix.fail_fast = true;
  CHECK(matrix.run({"one", "two", "three"}, fast) ==
        "one/cortex-m0 compiled; two/cortex-m0 compiled; three/cortex-m0 compiled");
}

TEST_CASE("behind the first failure nothing begins with --fail-fast, and all else without") {
  const SmallMatrix matrix;
  CommandLine fast;
  fast.matrix.fail_fast = true;
  int code = -1;
  CHECK(matrix.run({"one"}, fast) == "one/cortex-m0 compiled");
  CHECK(matrix.run({"bad", "two"}, {}, &code) == "bad/cortex-m0 failed; two/cortex-m0 compiled");
  CHECK(code == 1);
  // The longest begins first; the second one waits for the only job, and then the failure is known.
  CHECK(matrix.run({"bad", "two", "one"}, fast) ==
        "bad/cortex-m0 failed; two/cortex-m0 known; one/cortex-m0 known");
  for (const char* name : {"one.hlo", "two.hlo"})
    matrix.write(name,
                 "HloModule m\nENTRY e {\n  x = f32[5] parameter(0)\n  ROOT r = f32[5] "
                 "negate(x)\n}\n");
  CHECK(matrix.run({"bad", "two", "one"}, fast) ==
        "bad/cortex-m0 failed; two/cortex-m0 left out: --fail-fast: another one failed before; "
        "one/cortex-m0 "
        "compiled");
  // Of a model with several cells it is known at once.
  fast.jobs = 3;
  CHECK(matrix.run({"bad", "two"}, fast, nullptr, "cortex-m0 cortex-m3") ==
        "bad/cortex-m0 failed; bad/cortex-m3 failed; two/cortex-m0 left out: --fail-fast: another "
        "one failed before; two/cortex-m3 left out: --fail-fast: another one failed before");
}

MatrixCell keyed_cell(std::vector<std::pair<std::string, MatrixWords>> given,
                      const char* target = "m4") {
  MatrixCell out;
  out.target = target;
  for (auto& [flag, values] : given) out.line.given[flag] = std::move(values);
  return out;
}

TEST_CASE("cells whose flags differ in names alone go into one program") {
  const std::string plain = batch_key(keyed_cell({}));
  CHECK(batch_key(keyed_cell(
            {{"--target", {"x"}}, {"--name", {"x"}}, {"--arg", {"0=x"}}, {"--result", {"0=x"}}})) ==
        plain);
  CHECK(batch_key(keyed_cell({}, "m7")) != plain);
  const std::string small = batch_key(keyed_cell({{"-O", {"s"}}}));
  CHECK(small != plain);
  CHECK(batch_key(keyed_cell({{"-O", {"z"}}})) != small);
  CHECK(batch_key(keyed_cell({{"--names", {"x"}}})) != plain);
}

TEST_CASE("of several snapshots the worst verdict counts") {
  using enum Verdict;
  const auto told = [](const std::vector<Verdict>& verdicts) {
    std::optional<CellVerdict> out;
    int number = 0;
    for (const Verdict verdict : verdicts) {
      CaseOutcome outcome{.verdict = verdict, .why = cat(number++)};
      outcome.results_sha256 = "x";
      add_verdict(out, outcome);
    }
    return cat(out->status, " ", out->why, out->results_sha256 == "x" ? "" : " several");
  };
  CHECK(told({kPassed}) == "passed 0");
  CHECK(told({kSkipped}) == "skipped 0");
  CHECK(told({kFailed}) == "failed 0");
  CHECK(told({kPassed, kPassed}) == "passed 0 several");
  CHECK(told({kPassed, kFailed}) == "failed 1 several");
  CHECK(told({kFailed, kPassed}) == "failed 0 several");
  CHECK(told({kSkipped, kPassed}) == "passed 1 several");
  CHECK(told({kPassed, kSkipped}) == "passed 0 several");
  CHECK(told({kSkipped, kFailed, kFailed}) == "failed 1 several");
}

TEST_CASE("snapshots of cells without files are not run") {
  CommandLine line;
  CompileCache cache({});
  Progress silent(nullptr);
  MatrixSpec spec;
  spec.cells = {keyed_cell({}, "host")};
  spec.cells[0].snapshots = {"none.pb"};
  std::vector<CellResult> results(1);
  for (const CellStatus status : {CellStatus::kFailed, CellStatus::kLeftOut}) {
    results[0].status = status;
    verify_cells({line, cache, silent, 1}, spec, results);
    CHECK_FALSE(results[0].verdict);
  }
}

}  // namespace
}  // namespace hlocc::driver
