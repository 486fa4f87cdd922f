// The identifiers that a generated header makes out of leaves, in one place: what the header writer
// emits and what the checks of names hold against each other.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "support/result.h"

namespace hlocc::package {

bool is_cpp_keyword(std::string_view word);

// What accessors of a leaf are called after: arg0 and, with a name, arg_mfcc; for a donated
// argument with a name also var_mfcc; result0 and result_probs for results.
std::vector<std::string> argument_bases(const kernel::Leaf& leaf);
std::vector<std::string> result_bases(const kernel::Leaf& leaf);

// False if a leaf is called `data` or `size`: arg_data(i) and arg_size(i), which tfcompile's
// classes have, then give way to the accessors of that leaf.
bool has_indexed_accessors(const std::vector<kernel::Leaf>& leaves);

// No two members of the C++ class have one name, and none is called like the class.
Status check_identifiers(const kernel::Signature& signature);

}  // namespace hlocc::package
