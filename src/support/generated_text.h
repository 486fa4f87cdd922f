// How every text that hlocc generates begins, behind the tool's name and version: header and C
// alike.
#pragma once

namespace hlocc {

inline constexpr const char* kGeneratedText =
    ". Generated: do not edit.\n"
    " * What hlocc generates belongs to its user: hlocc's licence lays no terms on this file.\n"
    " *\n";

}  // namespace hlocc
