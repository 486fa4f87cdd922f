// The interface of a compiled model: all that its header and its library agree on besides the name.
// The symbol of `run` carries a hash of it, so that the header of one compile does not link with
// the library of another.
#pragma once
#include <string>

#include "planning/plan.h"
#include "target/target.h"

namespace hlocc::planning {

// 16 hexadecimal digits over the names, types, shapes, places and alignments of all leaves, the
// sizes of arena, state and instance, the bytes that the state starts with, the functions that the
// model calls, and the target's calling convention, byte order and pointers. Weights and code are
// not part of it.
std::string interface_hash(const kernel::Signature& signature, const Plan& plan,
                           const Target& target);

// <prefix>run_<hash>
std::string run_symbol(const kernel::Signature& signature, const Plan& plan, const Target& target);

// <prefix>keep_<hash>: copies the weights that Plan::kept names; init calls it.
std::string keep_symbol(const kernel::Signature& signature, const Plan& plan, const Target& target);

// A function of the user's: void symbol(const void *const *operands, void *const *results).
struct UserFunction {
  struct Array {
    kernel::Scalar element;
    int64_t elements;
    auto operator<=>(const Array&) const = default;
  };
  std::string symbol;
  std::vector<Array> operands, results;
  auto operator<=>(const UserFunction&) const = default;
};
// Those that the plan calls, each once for every list of types, in the order of the symbols.
std::vector<UserFunction> user_functions(const Plan& plan);

// "f32[4], s32[2] -> f32[4]"
std::string types_of(const UserFunction& function);

}  // namespace hlocc::planning
