// Which types an op takes and gives: the part of the kernel verifier that looks at one op with one
// result alone.
#pragma once
#include <optional>
#include <string>

#include "kernel/kernel.h"

namespace hlocc::kernel {

// What is wrong, in words; none if nothing is.
using BrokenRule = std::optional<std::string>;
BrokenRule type_error(const Op& op, Type result, const std::vector<Type>& operands);

// What saturate shifts by: as much as two instructions can that narrow to 16 bits and to bytes.
inline constexpr int kMostSaturatedShift = 24;

// The sizes m, n and k of a matrix_accumulate, which its lanes imply: k * k is a's lanes by b's
// over acc's. None if they fit no tiles.
struct MatrixSizes {
  int rows = 1, columns = 1, depth = 1;
};
std::optional<MatrixSizes> matrix_sizes(Type acc, Type a, Type b);

}  // namespace hlocc::kernel
