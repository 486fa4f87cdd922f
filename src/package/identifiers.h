// The identifiers that a generated header makes out of leaves, in one place: what the header writer
// emits and what the checks of names hold against each other.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "support/result.h"

namespace hlocc::package {

bool is_cpp_keyword(std::string_view word);
// Run, Init, Static and so on: members of every class that is generated.
bool is_member_of_every_class(std::string_view word);

// What accessors of a leaf are called after: arg0 and, with a name, arg_mfcc; for a donated
// argument with a name also var_mfcc; result0 and result_probs for results. `kind` is arg or
// result.
std::vector<std::string> named_bases(const kernel::Leaf& leaf, const std::string& name,
                                     std::string_view kind);
std::vector<std::string> argument_bases(const kernel::Leaf& leaf);
std::vector<std::string> result_bases(const kernel::Leaf& leaf);

// False if a leaf is called `data` or `size`: arg_data(i) and arg_size(i), which tfcompile's
// classes have, then give way to the accessors of that leaf.
bool has_indexed_accessors(const std::vector<kernel::Leaf>& leaves);

// The names of the C++ class's members, and what made each.
class Members {
 public:
  explicit Members(const std::string& class_name);
  // The members that a base makes: arg_x, arg_x_data, set_arg_x_data, arg_x_size, arg_x_count.
  Status take(const std::string& base);
  // All of them, if none is there yet; else nothing.
  bool take_if_free(const std::vector<std::string>& bases);
  bool contains(const std::string& member) const { return made_by_.contains(member); }

 private:
  std::map<std::string, std::string> made_by_;
  std::string class_name_;
};

// No two members of the C++ class have one name, and none is called like the class.
Result<Members> check_identifiers(const kernel::Signature& signature);

}  // namespace hlocc::package
