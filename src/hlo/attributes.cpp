// The copies and moves of attributes.
#include "hlo/attributes.h"

namespace hlocc::hlo {

Attributes::Attributes(const Attributes&) = default;
Attributes::Attributes(Attributes&&) noexcept = default;
Attributes& Attributes::operator=(const Attributes&) = default;
Attributes& Attributes::operator=(Attributes&&) noexcept = default;
Attributes::~Attributes() = default;

}  // namespace hlocc::hlo
