// What `hlocc reduce` works on: a module with arguments, and the question whether it still fails in
// the way in which it failed at first.
#pragma once
#include <string>
#include <vector>

#include "hlo/compare.h"
#include "hlo/module.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::driver {

struct ReduceCase {
  hlo::Module module;
  std::vector<hlo::Literal> arguments;
  // What `verify` holds the model's results against: one rule for all, or none: the defaults.
  std::vector<hlo::CompareRule> rules;
};

// Which differences count, of those that `verify` would call one: only those that no rounding
// explains, those beyond rounding, or all.
enum class Strictness : uint8_t { kGross, kClear, kRules };
// What a result of the type may be off by; beyond it, verify's rule decides.
hlo::CompareRule rule_for(hlo::PrimitiveType type, Strictness strictness);

// One rule for results whose numbers change while they are dropped: the loosest of the case's.
std::vector<hlo::CompareRule> loosest_rule(const std::vector<hlo::CompareRule>& rules);

// How a case fails, in words that stay the same while it shrinks: "differs", "signal 11 (...)",
// "ran longer than 60 s", "error[internal]". Empty: it does not, or it is no valid module.
struct Symptom {
  std::string kind;
  // For the reader: what differs, or the diagnostic.
  std::string detail;
  // It is not the case's: there was no process, disk or tool to run it.
  bool is_environment = false;
};

// Runs the case on the backend and, where that ends well, in the interpreter; in a child process.
Symptom symptom_of(const ReduceCase& one, const std::string& backend, Strictness strictness);

// The values of the arrays of the entry as the interpreter finds them, one an instruction; an empty
// tuple for what is no array or was not reached. Empty if the interpreter fails. Errors:
// kEnvironment.
Result<std::vector<hlo::Literal>> entry_values(const ReduceCase& one);

// After an edit of the entry: drops what nothing needs, parameters too, and restates the entry's
// shapes.
void tidy(ReduceCase& one);

}  // namespace hlocc::driver
