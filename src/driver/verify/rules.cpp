// See rules.h. A rule file is JSON: `tolerance` is one rule, or a list of rules, one a result leaf
// in order.
#include "driver/verify/rules.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/pipeline/load.h"
#include "import/file.h"
#include "ops/accumulation.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using hlo::CompareRule;
using nlohmann::json;

Result<json> read_json(const std::string& path) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  const char* text = reinterpret_cast<const char*>(bytes.data());
  json out = json::parse(text, text + bytes.size(), nullptr, false);
  if (out.is_discarded()) return error(DiagnosticKind::kFormat, "is no JSON").at({path, 0});
  return out;
}

template <typename T>
T value_or(const json& object, const char* key, T otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if constexpr (std::is_same_v<T, bool>) {
    return found->is_boolean() ? found->get<bool>()
                               : found->is_number() && found->get<double>() != 0;
  } else {
    return found->is_number() ? found->get<T>() : otherwise;
  }
}

// A rule that says nothing is `exact`. A member that is none is an error: the rule would hold
// something else than it seems to.
Result<CompareRule> parse_rule(const json& object) {
  static const std::vector<std::string> members = {
      "exact", "bits", "ulp", "rtol", "atol", "signed_zero", "denorm", "mismatch_frac", "note"};
  CompareRule rule;
  if (!object.is_object()) return rule;
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(members, name) == members.end())
      return suggest(error(DiagnosticKind::kFormat, cat("a tolerance has no member ", name)), name,
                     members)
          .note("docs/verify.md lists them: " + join(members, ", "));
  rule.exact = value_or(object, "exact", false);
  rule.bits = value_or(object, "bits", false);
  if (object.contains("ulp")) rule.ulp = value_or<int64_t>(object, "ulp", 0);
  rule.rtol = value_or(object, "rtol", 0.0);
  rule.atol = value_or(object, "atol", 0.0);
  rule.signed_zero = value_or(object, "signed_zero", false);
  rule.denorm = value_or(object, "denorm", true);
  rule.mismatch_frac = value_or(object, "mismatch_frac", 0.0);
  return rule;
}

// `path`: the file, and `name` the case, that they are of.
Result<std::vector<CompareRule>> parse_rules(const json& tolerance, const std::string& path,
                                             const std::string& name) {
  std::vector<CompareRule> rules;
  for (const json& one : tolerance.is_array() ? tolerance : json::array({tolerance})) {
    Result<CompareRule> rule = parse_rule(one);
    if (!rule) {
      Diagnostic why = std::move(rule).error();
      why.message = cat("case ", name, ": ", why.message);
      return std::move(why).at({path, 0});
    }
    rules.push_back(*rule);
  }
  return rules;
}

// NAME.json beside a snapshot: the tolerance stands with each result.
Result<std::vector<CompareRule>> rules_beside(const std::string& folder, const std::string& name) {
  using Rules = std::vector<CompareRule>;
  const std::string path = folder + "/" + name + ".json";
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return Rules();
  const Result<json> file = read_json(path);
  if (!file.ok() || !file->is_object()) return Rules();
  if (file->contains("tolerance")) return parse_rules((*file)["tolerance"], path, name);
  json rules = json::array();
  for (const json& result : file->value("results", json::array()))
    if (result.contains("tolerance")) rules.push_back(result["tolerance"]);
  return parse_rules(rules, path, name);
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Five standard deviations of what the order of a sum changes: docs/numerics.md.
constexpr double kTimesRounding = 0.5;

// What sums are rounded to on the way: in f32, or in f64 for its own results.
double rounding_of(hlo::PrimitiveType type) {
  const bool is_double = type == hlo::PrimitiveType::kF64 || type == hlo::PrimitiveType::kC128;
  return is_double ? 0x1p-52 : 0x1p-23;
}

}  // namespace

Result<std::vector<Case>> read_index(const std::string& path) {
  HLOCC_TRY_ASSIGN(const json index, read_json(path));
  const json cases = index.is_object() ? index.value("cases", json()) : json();
  if (!cases.is_array())
    return error(DiagnosticKind::kFormat, "is no index: it has no list `cases`").at({path, 0});
  std::vector<Case> out;
  for (const json& row : cases) {
    if (!row.contains("name") || !row["name"].is_string())
      return error(DiagnosticKind::kFormat, cat("case ", out.size(), " has no name")).at({path, 0});
    const std::string name = row["name"];
    Case one{name, folder_of(path) + "/" + name + ".snapshot.pb", {}, nullptr};
    HLOCC_TRY_ASSIGN(one.rules, row.contains("tolerance")
                                    ? parse_rules(row["tolerance"], path, name)
                                    : rules_beside(folder_of(path), name));
    out.push_back(std::move(one));
  }
  return out;
}

Result<Case> case_of_snapshot(const std::string& path, const std::vector<Case>& index) {
  std::string name = fs::path(path).filename().string();
  for (const char* ending : {".snapshot.pb", ".pb"})
    if (name.ends_with(ending)) {
      name.resize(name.size() - std::string_view(ending).size());
      break;
    }
  const auto known =
      std::find_if(index.begin(), index.end(), [&](const Case& c) { return c.name == name; });
  Case out{name, path, {}, nullptr};
  if (known != index.end()) {
    out.rules = known->rules;
  } else {
    HLOCC_TRY_ASSIGN(out.rules, rules_beside(folder_of(path), name));
  }
  return out;
}

Result<std::shared_ptr<const import::Imported>> load_case(const Case& one) {
  if (one.given) return one.given;
  HLOCC_TRY_ASSIGN(import::Imported imported, load_model(one.path));
  if (!imported.snapshot)
    return error(DiagnosticKind::kArgument, "is a module without arguments and expected result")
        .at({one.path, 0})
        .note("give them: --input NAME=FILE.npy --expect NAME=FILE.npy");
  return std::make_shared<const import::Imported>(std::move(imported));
}

CompareRule default_rule(const hlo::Literal& expected, int64_t terms) {
  CompareRule rule;
  if (!hlo::is_float(expected.type()) && !hlo::is_complex(expected.type())) return rule;
  rule.rtol = 1e-5;
  if (terms > 1)
    rule.atol = kTimesRounding * std::sqrt(static_cast<double>(terms)) *
                rounding_of(expected.type()) * hlo::largest_magnitude(expected);
  return rule;
}

CompareRule rule_of(const std::vector<CompareRule>& rules, size_t i, const hlo::Literal& expected,
                    int64_t terms) {
  if (rules.size() == 1) return rules[0];
  return i < rules.size() ? rules[i] : default_rule(expected, terms);
}

std::vector<CompareRule> all_rules(const std::vector<CompareRule>& rules, const hlo::Module& module,
                                   const hlo::Literal& expected) {
  const int64_t terms = ops::longest_accumulation(module);
  std::vector<CompareRule> out;
  for (const hlo::Literal& leaf : leaves(expected))
    out.push_back(rule_of(rules, out.size(), leaf, terms));
  return out;
}

std::string compare_results(const hlo::Literal& got, const hlo::Literal& expected,
                            const std::vector<CompareRule>& rules,
                            const std::vector<std::string>& labels) {
  const std::vector<hlo::Literal> gots = leaves(got), expecteds = leaves(expected);
  if (gots.size() != expecteds.size())
    return cat(gots.size(), " results instead of ", expecteds.size());
  for (size_t i = 0; i < gots.size(); ++i) {
    const hlo::Comparison outcome =
        compare_leaf(gots[i], expecteds[i], rule_of(rules, i, expecteds[i]));
    if (outcome.ok) continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  ", %lld of %lld elements differ, max abs %.3g rel %.3g ulp %lld",
                  static_cast<long long>(outcome.bad), static_cast<long long>(outcome.elements),
                  outcome.max_abs, outcome.max_rel, static_cast<long long>(outcome.max_ulp));
    return cat(i < labels.size() ? labels[i] : cat("result", i), " ", outcome.first,
               std::string(text));
  }
  return {};
}

}  // namespace hlocc::driver
