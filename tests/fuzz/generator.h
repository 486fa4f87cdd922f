// Random modules: chains of proposals on values of many types, with control flow, layouts and
// donation.
#pragma once
#include "fuzz/builder.h"

namespace hlocc::fuzz {

Program random_program(uint64_t seed);

}  // namespace hlocc::fuzz
