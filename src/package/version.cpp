// See version.h: the text comes from CMake.
#include "package/version.h"

#ifndef HLOCC_VERSION
#error "HLOCC_VERSION is defined by CMake"
#endif

namespace hlocc::package {

std::string_view version() { return HLOCC_VERSION; }

}  // namespace hlocc::package
