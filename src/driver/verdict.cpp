// See verdict.h. The text is the number of the verdict, then why.
#include "driver/verdict.h"

#include "support/text.h"

namespace hlocc::driver {

CaseOutcome CaseOutcome::of(const Diagnostic& diagnostic) {
  const Verdict verdict = diagnostic.kind == DiagnosticKind::kUnsupported ? Verdict::kUnsupported
                          : diagnostic.kind == DiagnosticKind::kBudget    ? Verdict::kSkipped
                                                                          : Verdict::kFailed;
  std::string why = cat("error[", diagnostic_kind_name(diagnostic.kind), "]: ", diagnostic.message);
  for (const std::string& note : diagnostic.notes) why += "; " + note;
  return {verdict, std::move(why), 0};
}

std::string to_text(const CaseOutcome& outcome) {
  return cat(static_cast<char>('0' + static_cast<int>(outcome.verdict)), outcome.why);
}

CaseOutcome outcome_of(const ChildOutcome& child) {
  if (child.finished && !child.output.empty())
    return {static_cast<Verdict>(child.output[0] - '0'), child.output.substr(1), child.cpu_seconds};
  std::string why = child.failure.empty() ? "gave no answer" : child.failure;
  if (!child.errors.empty()) why += ": " + child.errors.substr(0, child.errors.find('\n'));
  return {Verdict::kFailed, std::move(why), child.cpu_seconds};
}

}  // namespace hlocc::driver
