// Whether each element of an instruction's result is made of the same element of its operands.
#pragma once
#include "hlo/module.h"

namespace hlocc::ops {

// `all` gives instructions by id: a computation, a group. Bits seen as another type of their width
// are elements too.
template <typename Instructions>
bool is_elementwise(const Instructions& all, const hlo::Instruction& i) {
  return hlo::info(i.opcode).family == hlo::Family::kElementwise ||
         (i.opcode == hlo::Opcode::kBitcastConvert &&
          all[i.operands[0]].shape.dimensions == i.shape.dimensions);
}

}  // namespace hlocc::ops
