// Which results are near enough: comparison rules from an index file, from the JSON beside a
// snapshot, or the defaults.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hlo/compare.h"
#include "import/reader.h"
#include "support/result.h"

namespace hlocc::driver {

// One case of `verify`. No rules: whatever the file beside the snapshot says, or the defaults.
struct Case {
  std::string name, path;
  std::vector<hlo::CompareRule> rules;
  // The model with the values that --input and --expect gave; null: the file has them.
  std::shared_ptr<const import::Imported> given;
};

// A case's module and values. Error: kArgument if the file is a module alone.
Result<std::shared_ptr<const import::Imported>> load_case(const Case& one);

// All cases of an index; their snapshots lie beside it as NAME.snapshot.pb.
Result<std::vector<Case>> read_index(const std::string& path);
// A snapshot that was named on the command line; its rules come from the index if one is given and
// knows the name.
Result<Case> case_of_snapshot(const std::string& path, const std::vector<Case>& index);

// What a result leaf is held against that no rule was given for: integers are exact, and floats may
// be off by the rounding of sums of so many terms (docs/numerics.md).
hlo::CompareRule default_rule(const hlo::Literal& expected, int64_t terms);

// The rule for result leaf `i`: the case's, or the default of its type where `terms` are added up.
hlo::CompareRule rule_of(const std::vector<hlo::CompareRule>& rules, size_t i,
                         const hlo::Literal& expected, int64_t terms = 1);

// A rule for each result leaf of the module: the case's, or the default.
std::vector<hlo::CompareRule> all_rules(const std::vector<hlo::CompareRule>& rules,
                                        const hlo::Module& module, const hlo::Literal& expected);

// Compares the array leaves of two results in order. Empty if all pass, else what differs.
// `labels` name the results (package::result_labels); without any they are result0 and so on.
std::string compare_results(const hlo::Literal& got, const hlo::Literal& expected,
                            const std::vector<hlo::CompareRule>& rules,
                            const std::vector<std::string>& labels = {});

}  // namespace hlocc::driver
