// How the integers of several kernels hang together: which are equal in all of them, and which
// follow from others. What is left are the parameters that one kernel for all needs.
//
//   by kernel: {4, 64, 128, 3}, {4, 32, 64, 3}   ->   4, p, 2*p, 3   with p = 64 and 32
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace hlocc::kernel {

// offset + sum of factor * parameter.
struct Expression {
  struct Term {
    int parameter = 0;
    int64_t factor = 1;
    auto operator<=>(const Term&) const = default;
  };
  std::vector<Term> terms;
  int64_t offset = 0;

  auto operator<=>(const Expression&) const = default;
  bool is_number() const { return terms.empty(); }
  Expression times(int64_t factor) const;
};

struct Relations {
  std::vector<Expression> of;  // by integer
  // By parameter, by kernel. The largest come first, so that addresses that follow them in order go
  // from row to row, and then along it.
  std::vector<std::vector<int64_t>> parameters;
};
// kernels[k][i] is integer i of kernel k; those before `first` are left out. Integers that are
// `bits` follow from none but their equals.
Relations relate(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<bool>& bits, size_t first = 0);

}  // namespace hlocc::kernel
