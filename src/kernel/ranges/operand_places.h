// Memory for a kernel's bound buffers in which a proof plays its accesses: each apart from the
// others, or operands in the places of the results that a launch's overlaps of 0 bytes name.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "kernel/program.h"

namespace hlocc::kernel {

class OperandPlaces {
 public:
  // Whether there are such overlaps, and no operand has two places.
  static bool may_lie_in_place(std::span<const Overlap> overlaps);

  OperandPlaces(const Kernel& kernel, std::span<const Overlap> overlaps, bool in_place);

  // What is not written is read without being looked at, and has no memory.
  bool is_seen(BufferId buffer) const;
  // By bound buffer; valid as long as this is.
  std::vector<std::span<std::byte>> memory();

 private:
  const Kernel& kernel_;
  std::vector<int> place_;  // by buffer: the result in whose place it lies, else itself
  std::vector<std::vector<std::byte>> memory_;
};

}  // namespace hlocc::kernel
