// gather as an index op: the result's index splits into a place in start_indices and an offset
// inside the slice.
#include <algorithm>

#include "hlo/dimensions.h"
#include "lowering/emitter/index_ops.h"

namespace hlocc::lowering {

using hlo::contains;
using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;
using kernel::Scalar;
using kernel::ValueId;

int gathered_dimension(const hlo::GatherAttributes& g, int operand_rank, int lane_dim) {
  size_t offset = 0;
  for (int d = 0; d < operand_rank; ++d) {
    if (contains(g.collapsed_slice_dims, d) || contains(g.operand_batching_dims, d)) continue;
    if (g.offset_dims[offset++] == lane_dim) return d;
  }
  return kernel::kNone;
}

Element element(Op<Opcode::kGather>, Emitter& e, const Instruction& i, const Index& index) {
  const auto& g = i.get<hlo::GatherAttributes>();
  const hlo::Shape& operand = e.shape(i.operands[0]);
  const hlo::Shape& indices = e.shape(i.operands[1]);
  // A slice of one from a dimension of none: nothing is there to read.
  if (operand.element_count() == 0) return e.zero(i.shape, index.lanes);
  // Result dimensions that are no offset dimensions count through start_indices (its
  // index_vector_dim left out).
  std::vector<Affine> batch;
  for (int d = 0; d < i.shape.rank(); ++d)
    if (!contains(g.offset_dims, d)) batch.push_back(index.at[d]);
  const auto place_of = [&](int64_t component) {
    Index at;
    size_t next = 0;
    for (int d = 0; d < indices.rank(); ++d)
      at.at.push_back(d == g.index_vector_dim ? Affine::constant(component) : batch[next++]);
    return at;
  };
  Index at;
  at.at.resize(operand.rank());
  if (index.has_lanes()) {
    at.lanes = index.lanes;
    at.lane_dim = gathered_dimension(g, operand.rank(), index.lane_dim);
  }
  size_t offset = 0;
  for (int d = 0; d < operand.rank(); ++d) {
    if (contains(g.collapsed_slice_dims, d) || contains(g.operand_batching_dims, d)) continue;
    at.at[d] = index.at[g.offset_dims[offset++]];
  }
  for (size_t n = 0; n < g.start_index_map.size(); ++n) {
    const int64_t d = g.start_index_map[n];
    const int64_t limit = operand.dimensions[d] - g.slice_sizes[d];
    if (limit == 0) continue;
    const ValueId start = e.operand(i, 1, place_of(static_cast<int64_t>(n))).re;
    at.at[d] = at.at[d].plus(Affine::of(clamped_start(e, start, limit)));
  }
  for (size_t n = 0; n < g.operand_batching_dims.size(); ++n) {
    // Position of the batching dimension among start_indices' dimensions without the index vector.
    int64_t d = g.start_indices_batching_dims[n];
    if (d > g.index_vector_dim) --d;
    at.at[g.operand_batching_dims[n]] = batch[d];
  }
  return e.operand(i, 0, at);
}

}  // namespace hlocc::lowering
