// The whole pipeline on recorded programs: after every pass the verifier accepts the module and the
// interpreter still gives the recorded result. Hidden, for development: any index that HLOCC_CASES
// names (HLOCC_CASES_FILTER selects cases).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "import/reader.h"
#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using nlohmann::json;

hlo::CompareRule rule_of(const json& j) {
  hlo::CompareRule rule;
  rule.exact = j.value("exact", false);
  rule.bits = j.value("bits", false);
  if (j.contains("ulp")) rule.ulp = j["ulp"].get<int64_t>();
  rule.rtol = j.value("rtol", 0.0);
  rule.atol = j.value("atol", 0.0);
  rule.signed_zero = j.value("signed_zero", false);
  rule.denorm = j.value("denorm", true);
  rule.mismatch_frac = j.value("mismatch_frac", 0.0);
  return rule;
}

// Empty if the module still gives what was recorded.
std::string difference(const Module& module, const import::Snapshot& snapshot,
                       const json& tolerance) {
  const Result<Literal> result = interpreter::run(module, snapshot.arguments);
  if (!result) return result.error().to_string();
  const std::vector<Literal> got = hlo::leaves(*result), expected = hlo::leaves(snapshot.result);
  if (got.size() != expected.size()) return "another number of results";
  for (size_t i = 0; i < got.size(); ++i) {
    const hlo::Comparison comparison = hlo::compare_leaf(
        got[i], expected[i], rule_of(tolerance.is_array() ? tolerance[i] : tolerance));
    if (!comparison.ok)
      return cat("result ", i, ": ", comparison.bad, " of ", comparison.elements, " bad, ",
                 comparison.first);
  }
  return "";
}

// Runs the pipeline on a snapshot. `every`: the interpreter after every pass, not only at the end.
std::string run_case(const std::string& path, const json& tolerance, bool every) {
  Result<import::Imported> imported = import::read_model_file(path);
  if (!imported) return imported.error().to_string();
  const import::Snapshot snapshot = *imported->snapshot;
  size_t left = transforms::passes().size();
  const transforms::Observer observer = [&](std::string_view pass, const Module& module) -> Status {
    HLOCC_TRY(ops::verify(module));
    --left;
    if (!every && left > 0) return {};
    const std::string what = difference(module, snapshot, tolerance);
    if (what.empty()) return {};
    return error(DiagnosticKind::kMismatch, cat("after ", pass, ": ", what));
  };
  const Target target = *preset("cortex-m4f");
  const Result<Module> result =
      transforms::run_passes(std::move(imported->module), target, observer);
  return result ? "" : result.error().to_string();
}

struct Outcomes {
  int run = 0, failed = 0;
};

Outcomes run_index(const std::string& path, const std::string& filter, bool every) {
  Outcomes outcomes;
  const json index = json::parse(std::ifstream(path));
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (const json& entry : index["cases"]) {
    const std::string name = entry["name"];
    if (name.find(filter) == std::string::npos) continue;
    const auto start = std::chrono::steady_clock::now();
    const std::string what = run_case(folder + name + ".snapshot.pb", entry["tolerance"], every);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds > 2) std::printf("slow: %s takes %.1f s\n", name.c_str(), seconds);
    ++outcomes.run;
    if (what.empty()) continue;
    ++outcomes.failed;
    std::printf("%s: %s\n", name.c_str(), what.c_str());
  }
  return outcomes;
}

}  // namespace

TEST_CASE("models keep their results through every pass", "[transforms]") {
  const Outcomes outcomes = run_index(HLOCC_TEST_DATA "/models/index.json", "", true);
  CHECK(outcomes.run > 0);
  CHECK(outcomes.failed == 0);
}

TEST_CASE("op cases keep their results through every pass", "[transforms]") {
  const Outcomes outcomes = run_index(HLOCC_TEST_DATA "/ops/index.json", "", true);
  CHECK(outcomes.run > 0);
  CHECK(outcomes.failed == 0);
}

TEST_CASE("cases of the environment", "[.cases]") {
  const char* filter = std::getenv("HLOCC_CASES_FILTER");
  const Outcomes outcomes = run_index(std::getenv("HLOCC_CASES"), filter ? filter : "",
                                      std::getenv("HLOCC_CASES_EVERY") != nullptr);
  std::printf("%d cases, %d failed\n", outcomes.run, outcomes.failed);
  CHECK(outcomes.failed == 0);
}

TEST_CASE("pass names are those of the table, each once", "[transforms]") {
  const std::vector<std::string_view> names = transforms::pass_names();
  CHECK(std::set<std::string_view>(names.begin(), names.end()).size() == names.size());
  CHECK(names.front() == "normalize_layouts");
}

}  // namespace hlocc::tests
