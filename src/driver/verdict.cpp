// See verdict.h. The text is the number of the verdict, then "3 host,1 npu;", then why.
#include "driver/verdict.h"

#include "support/text.h"

namespace hlocc::driver {

CaseOutcome CaseOutcome::of(const Diagnostic& diagnostic) {
  const Verdict verdict = diagnostic.kind == DiagnosticKind::kUnsupported ? Verdict::kUnsupported
                          : diagnostic.kind == DiagnosticKind::kBudget    ? Verdict::kSkipped
                                                                          : Verdict::kFailed;
  std::string why = cat("error[", diagnostic_kind_name(diagnostic.kind), "]: ", diagnostic.message);
  for (const std::string& note : diagnostic.notes) why += "; " + note;
  return {verdict, std::move(why), 0, {}};
}

std::string to_text(const CaseOutcome& outcome) {
  std::string out(1, static_cast<char>('0' + static_cast<int>(outcome.verdict)));
  for (const auto& [device, count] : outcome.ops) out += cat(count, " ", device, ",");
  return cat(out, ";", outcome.why);
}

CaseOutcome outcome_of(const ChildOutcome& child) {
  const size_t end = child.output.find(';');
  if (child.finished && end != std::string::npos) {
    CaseOutcome out{static_cast<Verdict>(child.output[0] - '0'),
                    child.output.substr(end + 1),
                    child.cpu_seconds,
                    {}};
    for (const std::string& row : split(child.output.substr(1, end - 1), ','))
      if (const size_t space = row.find(' '); space != std::string::npos)
        out.ops[row.substr(space + 1)] += std::stoll(row.substr(0, space));
    return out;
  }
  std::string why = child.failure.empty() ? "gave no answer" : child.failure;
  if (!child.errors.empty()) why += ": " + child.errors.substr(0, child.errors.find('\n'));
  return {Verdict::kFailed, std::move(why), child.cpu_seconds, {}};
}

}  // namespace hlocc::driver
