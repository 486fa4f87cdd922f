// Random modules: chains of proposals on values of many types, with control flow, layouts and
// donation.
#pragma once
#include "fuzz/builder.h"

namespace hlocc::fuzz {

// `focus`: a part of the names of proposals that are drawn two times out of three.
Program random_program(uint64_t seed, const std::string& focus = "");

}  // namespace hlocc::fuzz
