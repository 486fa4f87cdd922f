// See verify_here.h.
#include "driver/verify_here.h"

#include "driver/child.h"
#include "driver/execute.h"

namespace hlocc::driver {
namespace {

Result<std::string> differences(const Case& one, const std::string& backend,
                                const Options& options) {
  HLOCC_TRY_ASSIGN(const std::shared_ptr<const import::Imported> imported, load_case(one));
  HLOCC_TRY_ASSIGN(const hlo::Literal got,
                   execute(imported->module, imported->snapshot->arguments, backend, options));
  return compare_results(got, imported->snapshot->result, one.rules);
}

}  // namespace

CaseOutcome verify_here(const Case& one, const std::string& backend, const Options& options) {
  const auto body = [&] {
    const Result<std::string> different = differences(one, backend, options);
    if (!different.ok()) return to_text(CaseOutcome::of(different.error()));
    return to_text(different->empty() ? CaseOutcome{} : CaseOutcome::failed(*different));
  };
  return outcome_of(run_in_child(body, kCaseSeconds));
}

}  // namespace hlocc::driver
