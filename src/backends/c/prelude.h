// The functions and types in front of the kernels: only those that the file uses. What C leaves
// open or undefined (overflow, shifts of negative numbers, bit patterns of floats) is settled in
// them once, so that kernels read as formulas.
#pragma once
#include <map>
#include <string>

#include "kernel/kernel.h"

namespace hlocc::backends {

class Prelude {
 public:
  // The name of the function for an op on operands of a scalar type; empty where there is none.
  std::string function(kernel::OpKind kind, kernel::Scalar scalar);
  // From one type's bits to another of the width.
  std::string bit_cast(kernel::Scalar from, kernel::Scalar to);
  // memory_type(), declared if need be.
  std::string memory(kernel::Scalar scalar);
  // Copies bytes; declared if it is called.
  std::string copy();
  // Stands in front of a loop over lanes: GCC spells such loops out before it looks for vectors,
  // and then finds fewer.
  std::string lanes();

  std::string text() const;

 private:
  std::map<std::string, std::string> types_, functions_;
  bool copies_ = false, has_lanes_ = false;
};

}  // namespace hlocc::backends
