// A dot by the roles of its dimensions, as its schedules share it.
#pragma once
#include "lowering/loop_ops.h"

namespace hlocc::lowering {

// The dimensions of one side: batch, free and contracted, in the order of the result and of the attributes.
struct Side {
  hlo::Dimensions batch, free, contracted;
};

struct Dot {
  Emitter& e;
  hlo::InstructionId id;
  const hlo::Instruction& i;
  Side lhs, rhs;
  kernel::Scalar sum;  // of the accumulators

  // Operand n as the accumulators take it.
  Element operand(int n, const Index& index) const {
    Element x = e.operand(i, n, index);
    x.re = e.b.convert(x.re, sum);
    if (hlo::is_complex(i.shape.element_type)) x.im = x.is_complex() ? e.b.convert(x.im, sum) : e.b.zero(e.b.type(x.re));
    return x;
  }
  void finish(const Index& index, Element value) const {
    value.re = e.b.convert(value.re, e.scalar(i.shape));
    if (value.is_complex()) value.im = e.b.convert(value.im, e.scalar(i.shape));
    e.bind(id, index, value);
    e.store_roots(index);
    e.unbind(id);
  }
  Index index_of(const Side& side, int rank, const std::vector<Affine>& batch, const std::vector<Affine>& free,
                 const std::vector<Affine>& contracted) const {
    Index index;
    index.at.resize(rank);
    for (size_t n = 0; n < side.batch.size(); ++n) index.at[side.batch[n]] = batch[n];
    for (size_t n = 0; n < side.free.size(); ++n) index.at[side.free[n]] = free[n];
    for (size_t n = 0; n < side.contracted.size(); ++n) index.at[side.contracted[n]] = contracted[n];
    return index;
  }
};

inline hlo::Dimensions pick(const hlo::Shape& shape, const hlo::Dimensions& dims) {
  hlo::Dimensions out;
  for (int64_t d : dims) out.push_back(shape.dimensions[d]);
  return out;
}

// Register tiles with lanes along the one contracted dimension, which is the last of both sides.
void inner_product(const Dot& dot, int lanes);

}  // namespace hlocc::lowering
