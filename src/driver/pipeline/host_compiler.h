// The C compiler of this machine, `cc` or what the variable CC names: what it says of the machine,
// and how C is made into code that runs here.
#pragma once
#include <string>
#include <vector>

namespace hlocc::driver {

// The compiler that the variable CC, whose value this is or null, names.
std::string compiler_name(const char* named);

// The compiler's name with the flags for this very processor, those that it takes; empty where
// there is none.
const std::vector<std::string>& host_compiler();

// Its predefined macros, one "#define NAME VALUE" a line; empty without a compiler. Both are asked
// of it at once, the first time that either is needed.
const std::string& host_macros();

}  // namespace hlocc::driver
