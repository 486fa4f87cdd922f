// See loop.h.
#include "driver/reduce/loop.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::driver {
namespace {

Diagnostic cannot_run(const Symptom& symptom) {
  return error(DiagnosticKind::kEnvironment, cat("cannot run it: ", symptom.detail));
}

}  // namespace

std::span<const ReduceStep> reduce_steps() {
  static constexpr ReduceStep steps[] = {drop_results,      cut_operands,      drop_annotations,
                                         open_control_flow, shrink_dimensions, simplify_values};
  return steps;
}

Result<std::string> Reducer::diagnose(const std::string& backend) {
  for (const Strictness strictness : {Strictness::kGross, Strictness::kClear, Strictness::kRules}) {
    strictness_ = strictness;
    symptom_ = tools_.symptom(now_, strictness);
    if (symptom_.is_environment) return cannot_run(symptom_);
    if (!symptom_.kind.empty()) return symptom_.kind;
  }
  return error(DiagnosticKind::kArgument,
               cat("does not fail: ", backend, " and interpreter agree on it by verify's rule"))
      .note(
          "reduce wants a model that crashes, is refused, or gives another result than the "
          "interpreter");
}

Status Reducer::run(std::span<const ReduceStep> steps) {
  const Keep keep([this](const ReduceCase& candidate) { return fails(candidate); },
                  [this](ReduceCase candidate) { now_ = std::move(candidate); });
  for (bool any = true; any && left();) {
    any = false;
    for (const ReduceStep step : steps)
      // A step sees the case as it was when it began, while `keep` moves on.
      while (left() && step(ReduceCase(now_), keep)) any = true;
  }
  return broken_ ? Status(*broken_) : Status();
}

bool Reducer::left() const {
  return !broken_ && tries_ < kMostTries && tools_.seconds() < kMostSeconds;
}

bool Reducer::fails(const ReduceCase& candidate) {
  if (!left()) return false;
  ++tries_;
  tools_.tell(
      now_, tries_,
      std::max(static_cast<double>(tries_ - 1) / kMostTries, tools_.seconds() / kMostSeconds));
  const Symptom symptom = tools_.symptom(candidate, strictness_);
  if (symptom.is_environment) broken_ = cannot_run(symptom);
  if (broken_ || symptom.kind != symptom_.kind) return false;
  symptom_ = symptom;
  return true;
}

}  // namespace hlocc::driver
