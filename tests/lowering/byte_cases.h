// What the tests of products of bytes share: numbers with the ends of their range among them, as
// constants and as arguments, and what the interpreter makes of them.
#pragma once
#include <string>
#include <vector>

#include "hlo/literal.h"
#include "hlo/module.h"

namespace hlocc::tests {

// "s8[2,3] constant(...)".
std::string bytes_constant(const std::vector<int64_t>& sizes, const std::string& type);
// For each parameter of the entry, all of bytes or of 16 bits.
std::vector<hlo::Literal> arguments_for(const hlo::Module& module);
hlo::Literal result_of_interpreter(const hlo::Module& module,
                                   const std::vector<hlo::Literal>& arguments);

}  // namespace hlocc::tests
