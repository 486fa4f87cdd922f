// The failures of Results, which all share.
#include "support/result.h"

#include "support/check.h"

namespace hlocc {

HeldDiagnostic::HeldDiagnostic(Diagnostic diagnostic)
    : diagnostic_(std::make_unique<Diagnostic>(std::move(diagnostic))) {}
HeldDiagnostic::HeldDiagnostic(const HeldDiagnostic& other)
    : diagnostic_(other.is_there() ? std::make_unique<Diagnostic>(*other.diagnostic_) : nullptr) {}
HeldDiagnostic::HeldDiagnostic(HeldDiagnostic&& other) noexcept = default;
HeldDiagnostic& HeldDiagnostic::operator=(HeldDiagnostic other) noexcept {
  diagnostic_ = std::move(other.diagnostic_);
  return *this;
}
HeldDiagnostic::~HeldDiagnostic() = default;

Diagnostic& HeldDiagnostic::get() const {
  HLOCC_CHECK(is_there(), "the error of a Result that has a value");
  return *diagnostic_;
}

void HeldDiagnostic::refuse_value() const {
  check_failed(__FILE__, __LINE__, "ok()", "value of a failed Result: " + get().message);
}

}  // namespace hlocc
