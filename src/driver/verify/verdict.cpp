// See verdict.h. The text is the number of the verdict, then the results' digest and
// ",3 host,1 npu;", then why.
#include "driver/verify/verdict.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "support/number.h"
#include "support/text.h"

namespace hlocc::driver {

CaseOutcome CaseOutcome::of(const Diagnostic& diagnostic) {
  static constexpr std::pair<DiagnosticKind, Verdict> kOthers[] = {
      {DiagnosticKind::kUnsupported, Verdict::kUnsupported},
      {DiagnosticKind::kBudget, Verdict::kSkipped},
      {DiagnosticKind::kMissingTool, Verdict::kNoTool},
      {DiagnosticKind::kEnvironment, Verdict::kEnvironment}};
  Verdict verdict = Verdict::kFailed;
  for (const auto& [kind, other] : kOthers)
    if (kind == diagnostic.kind) verdict = other;
  std::string why = cat("error[", diagnostic_kind_name(diagnostic.kind), "]: ", diagnostic.message);
  for (const std::string& note : diagnostic.notes) why += "; " + note;
  return {verdict, std::move(why), 0, {}};
}

int VerdictCounts::skipped() const {
  return of(Verdict::kSkipped) + of(Verdict::kNoTool) + of(Verdict::kUnsupported);
}

ExitCode VerdictCounts::exit(int others, bool allow_skips) const {
  // What lacks an op is skipped, and yet not in order.
  if (of(Verdict::kFailed) + of(Verdict::kUnsupported) > 0) return kExitInput;
  if (of(Verdict::kEnvironment) > 0) return kExitEnvironment;
  if (passed() + others > 0 || allow_skips) return kExitDone;
  return of(Verdict::kNoTool) > 0 ? kExitEnvironment : kExitInput;
}

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return "passed";
    case Verdict::kFailed:
    case Verdict::kEnvironment: return "failed";
    default: return "skipped";
  }
}

std::string to_text(const CaseOutcome& outcome) {
  std::string out(1, static_cast<char>('0' + static_cast<int>(outcome.verdict)));
  out += outcome.results_sha256;
  for (const auto& [device, count] : outcome.ops) out += cat(",", count, " ", device);
  return cat(out, ";", outcome.why);
}

CaseOutcome outcome_of(const ChildOutcome& child) {
  if (child.environment) return CaseOutcome::of(environment_of(child));
  const size_t end = child.output.find(';');
  if (child.finished && end != std::string::npos) {
    CaseOutcome out{static_cast<Verdict>(child.output[0] - '0'),
                    child.output.substr(end + 1),
                    child.cpu_seconds,
                    {}};
    const std::vector<std::string> words = split(child.output.substr(1, end - 1), ',');
    out.results_sha256 = words[0];
    for (const std::string& row : std::span(words).subspan(1))
      if (const size_t space = row.find(' '); space != std::string::npos)
        out.ops[row.substr(space + 1)] += to_integer(row.substr(0, space)).value_or(0);
    return out;
  }
  std::string why = child.failure.empty() ? "gave no answer" : child.failure;
  if (!child.errors.empty()) why += ": " + child.errors.substr(0, child.errors.find('\n'));
  return {Verdict::kFailed, std::move(why), child.cpu_seconds, {}};
}

// A line a case: microseconds, and its text with line ends kept out.
std::string to_text(const Result<std::vector<CaseOutcome>>& outcomes, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    const CaseOutcome one = outcomes.ok() ? (*outcomes)[i] : CaseOutcome::of(outcomes.error());
    std::string text = to_text(one);
    std::ranges::replace(text, '\n', ' ');
    out += cat(std::llround(one.cpu_seconds * 1e6), " ", text, "\n");
  }
  return out;
}

std::vector<CaseOutcome> outcomes_of(const ChildOutcome& child, size_t count) {
  const std::vector<std::string> lines = split(child.output, '\n');
  std::vector<CaseOutcome> out;
  for (size_t i = 0; i < count; ++i) {
    ChildOutcome one = child;
    const size_t space = i < lines.size() ? lines[i].find(' ') : std::string::npos;
    one.output = space == std::string::npos ? "" : lines[i].substr(space + 1);
    one.cpu_seconds =
        one.output.empty()
            ? 0
            : 1e-6 * static_cast<double>(to_integer(lines[i].substr(0, space)).value_or(0));
    out.push_back(outcome_of(one));
  }
  return out;
}

}  // namespace hlocc::driver
