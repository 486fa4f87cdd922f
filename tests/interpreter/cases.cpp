// Reading of an index and comparison of the interpreter's results with the snapshots'.
#include "interpreter/cases.h"

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "import/reader.h"
#include "interpreter/interpreter.h"

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

std::string run_snapshot(const std::string& path, const json& tolerance) {
  const Result<import::Imported> imported = import::read_model_file(path);
  if (!imported) return imported.error().to_string();
  if (!imported->snapshot) return "no snapshot";
  const Result<hlo::Literal> result =
      interpreter::run(imported->module, imported->snapshot->arguments);
  if (!result) return result.error().to_string();
  const std::vector<hlo::Literal> got = hlo::leaves(*result),
                                  expected = hlo::leaves(imported->snapshot->result);
  if (got.size() != expected.size()) return "another number of results";
  for (size_t i = 0; i < got.size(); ++i) {
    const json& rule = tolerance.is_array() ? tolerance[i] : tolerance;
    const hlo::Comparison comparison = hlo::compare_leaf(got[i], expected[i], rule_of(rule));
    if (!comparison.ok)
      return "result " + std::to_string(i) + ": " + std::to_string(comparison.bad) + " of " +
             std::to_string(comparison.elements) + " bad, " + comparison.first + ", max ulp " +
             std::to_string(comparison.max_ulp) + ", rule " + rule.dump();
  }
  return "";
}

}  // namespace

std::vector<CaseOutcome> run_index(const std::string& index_path, const std::string& filter) {
  std::vector<CaseOutcome> outcomes;
  const json index = json::parse(std::ifstream(index_path));
  const std::string folder = index_path.substr(0, index_path.rfind('/') + 1);
  for (const json& entry : index["cases"]) {
    CaseOutcome outcome{entry["name"].get<std::string>()};
    if (outcome.name.find(filter) == std::string::npos) continue;
    const auto start = std::chrono::steady_clock::now();
    outcome.why = run_snapshot(folder + outcome.name + ".snapshot.pb", entry["tolerance"]);
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    outcome.ok = outcome.why.empty();
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace hlocc::tests
