// How the integers of several kernels hang together: which are equal in all of them, and which
// follow from others. What is left are the parameters that one kernel for all needs.
//
//   by kernel: {4, 64, 128, 3}, {4, 32, 64, 3}   ->   4, p, 2*p, 3   with p = 64 and 32
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace hlocc::kernel {

// factor * parameter + offset; a number where the parameter is negative.
struct Expression {
  int parameter = -1;
  int64_t factor = 0, offset = 0;
  bool is_number() const { return parameter < 0; }
};

struct Relations {
  std::vector<Expression> of;                    // by integer
  std::vector<std::vector<int64_t>> parameters;  // by parameter, by kernel
};
// kernels[k][i] is integer i of kernel k; those before `first` are left out. Integers that are
// `bits` follow from none but their equals.
Relations relate(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<bool>& bits, size_t first = 0);

}  // namespace hlocc::kernel
