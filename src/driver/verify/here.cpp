// See here.h.
#include "driver/verify/here.h"

#include "devices/conformance/stream_suite.h"
#include "driver/run/execute.h"
#include "driver/run/platforms.h"
#include "driver/run/plugin.h"
#include "driver/verify/child.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Result<CaseOutcome> compare(const Case& one, const PlatformChoice& where, const Options& options) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Prepared> prepared,
                   prepare(imported->module, imported->snapshot->arguments, where, options));
  HLOCC_TRY_ASSIGN(const hlo::Literal got, prepared->run());
  const hlo::Literal& expected = imported->snapshot->result;
  const std::string different =
      compare_results(got, expected, all_rules(one.rules, imported->module, expected),
                      package::result_labels(imported->module));
  CaseOutcome outcome = different.empty() ? CaseOutcome{} : CaseOutcome::failed(different);
  outcome.ops = prepared->ops();
  return outcome;
}

Result<CaseOutcome> compare_guarded(const Case& one, const Options& options) {
  HLOCC_TRY_ASSIGN(const CaseOutcome outcome, compare(one, {"cpu", "", ""}, options));
  if (outcome.verdict != Verdict::kPassed) return outcome;
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  HLOCC_TRY_ASSIGN(const std::string wrong,
                   run_guarded_here(imported->module, imported->snapshot->arguments, options));
  return wrong.empty() ? outcome : CaseOutcome::failed(wrong);
}

Result<CaseOutcome> try_streams(const PlatformChoice& where, int schedules) {
  const std::unique_ptr<device::PlatformManager> manager = make_platforms(where.device);
  HLOCC_TRY_ASSIGN(device::Platform * platform, find_platform(*manager, where));
  HLOCC_TRY_ASSIGN(device::StreamExecutor * executor, platform->ExecutorForDevice(0));
  const std::vector<std::string> failed = run_stream_suite(*executor, schedules);
  return failed.empty() ? CaseOutcome{} : CaseOutcome::failed(join(failed, "; "));
}

CaseOutcome in_child(const std::function<Result<CaseOutcome>()>& work, double seconds) {
  const auto body = [&] {
    const Result<CaseOutcome> outcome = work();
    return to_text(outcome.ok() ? *outcome : CaseOutcome::of(outcome.error()));
  };
  return outcome_of(run_in_child(body, seconds));
}

}  // namespace

CaseOutcome verify_here(const Case& one, const PlatformChoice& where, const Options& options,
                        double seconds) {
  return in_child([&] { return compare(one, where, options); }, seconds);
}

CaseOutcome verify_guarded(const Case& one, const Options& options, double seconds) {
  return in_child([&] { return compare_guarded(one, options); }, seconds);
}

CaseOutcome verify_streams(const PlatformChoice& where, int schedules, double seconds) {
  return in_child([&] { return try_streams(where, schedules); }, seconds + 0.1 * schedules);
}

}  // namespace hlocc::driver
