// The row of this machine as its C compiler describes it, for builds without LLVM.
#pragma once
#include <string_view>

#include "target/target.h"

namespace hlocc {

// `macros`: what `cc -march=native -dM -E` prints, one "#define NAME VALUE" a line, in GCC's and
// Clang's names. What they do not tell is assumed as for a Linux machine with caches. Empty text
// gives a scalar row with pointers and byte order of this very program.
Target host_from_macros(std::string_view macros);

}  // namespace hlocc
