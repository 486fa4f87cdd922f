// The routines that calls may name, and what each takes and gives.
#pragma once
#include <string>
#include <string_view>

#include "hlo/primitive_type.h"
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {

using Size = std::pair<int64_t, int64_t>;  // rows, columns; a vector is a row
using Sizes = std::vector<Size>;
// The sizes that results must have, nothing if the operands do not fit one another.
using ResultSizes = Sizes (*)(const Problem& p);

// operands, results: a letter each; T the call's type, R the real one of it, C the complex one, W
// whole numbers; V eigenvalues: C, or R twice where T is real. The error code of calls that have
// one comes behind the results.
struct Entry {
  std::string_view name;  // behind the letter of the type
  MakeRoutine make;
  ResultSizes sizes;
  std::string_view operands, results;
  bool info;
};

inline constexpr std::string_view kPrefix = "lapack_", kSuffix = "_ffi";

// The routine that `lapack_<letter><name>_ffi` names; null if there is none.
const Entry* find_routine(std::string_view target);
std::string routine_names();
// The type of a call, by the letter in its name.
hlo::PrimitiveType type_of_call(char letter);
// The type of an operand or result of a call of type `call`, by its letter in the table.
hlo::PrimitiveType type_of_leaf(char letter, hlo::PrimitiveType call);
// The letters of a call's results, error code apart.
std::string results_of(const Entry& row, hlo::PrimitiveType call);

}  // namespace hlocc::kernel::lapack
