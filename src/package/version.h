// The version that generated files and `hlocc --version` state; CMake's project() is where it is
// written down.
#pragma once
#include <string_view>

namespace hlocc::package {

std::string_view version();

}  // namespace hlocc::package
