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
};

struct Relations {
  std::vector<Expression> of;  // by integer
  // By parameter, by kernel. The largest come first, so that addresses that follow them in order go
  // from row to row, and then along it.
  std::vector<std::vector<int64_t>> parameters;
};
// What an integer is to a kernel, and so what may be calculated to get it.
enum class Use : uint8_t {
  kSize,    // of a buffer: the kernel never asks for it
  kNumber,  // anything affine: it is calculated once
  kScale,   // of a counter in an address: a multiple only, because each term is one more in a loop
  kBits     // of a scalar that is no index: nothing at all
};
// kernels[k][i] is integer i of kernel k.
Relations relate(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<Use>& uses);

}  // namespace hlocc::kernel
