// Which instruction of a chip adds up the products of a dot_accumulate. Legalisation keeps the op
// where there is one and expands it elsewhere; each backend asks here what it has to write.
#pragma once
#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::kernel {

enum class DotInstruction : uint8_t {
#define HLOCC_DOT_INSTRUCTION(Name) k##Name,
#include "kernel/legalize/dot_instructions.def"
  kNone
};

// A dot_accumulate by its types.
struct DotForm {
  Type sum, left, right;
  bool by_ones = false;  // every number of the right side is one

  int lanes() const { return sum.lanes; }
  int group() const { return left.lanes / sum.lanes; }
  bool both(Scalar scalar) const { return left.scalar == scalar && right.scalar == scalar; }
};

// Of an op that stands in a kernel; what its right side holds is not asked.
DotForm dot_form(const Kernel& kernel, const Op& op);
DotInstruction dot_instruction(const DotForm& form, const Target& target);

}  // namespace hlocc::kernel
