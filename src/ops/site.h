// Site: the place that an inference rule looks at: an instruction with the computation and module
// around it. Rules read operands and attributes through it and nothing else, so that each reads
// like its line in the specification.
#pragma once
#include "hlo/module.h"

namespace hlocc::ops {

using hlo::Computation;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::Module;
using hlo::Op;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

struct Site {
  const Module& module;
  const Computation& computation;
  const Instruction& instruction;

  int operand_count() const { return static_cast<int>(instruction.operands.size()); }
  const Shape& operand(int i) const { return computation.operand(instruction, i).shape; }
  // The shape that the instruction states; what an op can't infer is taken from it.
  const Shape& declared() const { return instruction.shape; }
  int called_count() const { return static_cast<int>(instruction.called.size()); }
  const Computation& called(int i) const { return module.computations[instruction.called[i]]; }
  template <typename T>
  const T& attributes() const {
    return instruction.get<T>();
  }
};

}  // namespace hlocc::ops
