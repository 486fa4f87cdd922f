// The loop ops: each owns a schedule, asks its operands through Emitter::element and stores the
// group's roots.
#pragma once
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

#define HLOCC_LOOP_OP(opcode) \
  void schedule(hlo::Op<hlo::Opcode::opcode>, Emitter& emitter, hlo::InstructionId id);
HLOCC_LOOP_OP(kDot)
HLOCC_LOOP_OP(kConvolution)
HLOCC_LOOP_OP(kReduce)
HLOCC_LOOP_OP(kReduceWindow)
HLOCC_LOOP_OP(kSelectAndScatter)
HLOCC_LOOP_OP(kDynamicUpdateSlice)
HLOCC_LOOP_OP(kScatter)
HLOCC_LOOP_OP(kSort)
HLOCC_LOOP_OP(kCholesky)
HLOCC_LOOP_OP(kTriangularSolve)
#undef HLOCC_LOOP_OP

// The parts of elements, one after the other: what loops carry.
inline kernel::Values flatten(const std::vector<Element>& elements) {
  kernel::Values out;
  for (const Element& x : elements) {
    out.push_back(x.re);
    if (x.is_complex()) out.push_back(x.im);
  }
  return out;
}
// A group without a loop op: loops over the elements of its roots.
void schedule_elements(Emitter& emitter);
// The same in square blocks that are turned in registers, where one root is read along another
// dimension than its last. False: not so.
bool schedule_transposed(Emitter& emitter);
// A group of Schedule::kRows: soft-max, layer normalisation and their kind.
void schedule_rows(Emitter& emitter);
// A group of Schedule::kRowTiles: a depthwise convolution and the 1x1 ones around it, or a
// convolution and a pool.
void schedule_row_tiles(Emitter& emitter);
// The op that reduces the lanes of a vector as the plain reducer does; none where there is no such
// op.
std::optional<kernel::OpKind> across_lanes(hlo::Opcode reducer, kernel::Scalar type);
// Calls body(index) for every element of `dimensions`, in vectors of `lanes` along the last
// dimension, with narrower ones (or scalars) for what is left over.
void for_each_vector(Emitter& emitter, const hlo::Dimensions& dimensions, int lanes,
                     const std::function<void(const Index&)>& body);
// Calls body(first, count, lanes) for tiles of `count` vectors that cover [low, high): of `most` of
// them as long as there is room, of fewer and narrower ones for what is left over.
void for_each_tile(Emitter& emitter, int64_t low, int64_t high, int lanes, int most,
                   const std::function<void(const Affine&, int count, int lanes)>& body);
// The same for all elements of `dimensions`, along the last: body gets the indices of a tile.
void for_each_tile(Emitter& emitter, const hlo::Dimensions& dimensions, int lanes, int most,
                   const std::function<void(const std::vector<Index>&)>& body);
// The loop op of the group, or kNone.
hlo::InstructionId hero(const Group& group);

}  // namespace hlocc::lowering
