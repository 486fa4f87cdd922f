// Copies that are not written out in place are calls. Where a C library is promised they go to its
// memcpy. Elsewhere they go to a function of ours, under a name of ours: the library has it in a
// member of its own, which the linker takes where nothing before defines it, and a firmware's
// memcpy stays the one that its own code means (docs/design/010_memory_functions.md).
#pragma once
#include <string_view>

namespace hlocc {

// Takes and gives what memcpy does.
inline constexpr std::string_view kOwnCopy = "hlocc_memcpy";

}  // namespace hlocc
