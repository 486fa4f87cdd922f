// Which types an op takes and gives: the part of the kernel verifier that looks at one op with one
// result alone.
#pragma once
#include <optional>
#include <string>

#include "kernel/kernel.h"

namespace hlocc::kernel {

// What is wrong, in words; none if nothing is.
using BrokenRule = std::optional<std::string>;
BrokenRule type_error(const Op& op, Type result, const std::vector<Type>& operands);

}  // namespace hlocc::kernel
