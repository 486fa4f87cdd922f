// What the emitters of dots share: a dot's site, as policy sees it, and the kernel that it is
// emitted in.
#pragma once
#include "costs/dot.h"
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

// The dimensions of one side: batch, free and contracted, in the order of the result and of the
// attributes.
struct DotSide {
  hlo::Dimensions batch, free, contracted;
};

struct Dot : costs::DotSite {
  Emitter& e;
  hlo::InstructionId id;
  const hlo::Instruction& i;
  DotSide lhs, rhs;

  // Operand n as the accumulators take it.
  Element operand(int n, const Index& index) const;
  void finish(const Index& index, Element value) const;
};

// The sizes of some dimensions.
hlo::Dimensions pick(const hlo::Shape& shape, const hlo::Dimensions& dimensions);

// Emitters of the algorithms that have no header of their own.
void emit(const Dot& dot, const costs::SharedDotPlan& plan);

}  // namespace hlocc::lowering
