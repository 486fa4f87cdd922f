// Ops that change part of an array: dynamic-update-slice and scatter. Their kernels write into a
// buffer that holds the old bytes already (Launch::updates); planning lets both share memory or
// copies.
#include "hlo/dimensions.h"
#include "lowering/emitter/index_ops.h"
#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using hlo::contains;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::Predicate;
using kernel::ValueId;
using kernel::Values;

void schedule(hlo::Op<Opcode::kDynamicUpdateSlice>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const hlo::Shape& update = e.shape(i.operands[1]);
  std::vector<Affine> start(i.shape.rank());
  for (int d = 0; d < i.shape.rank(); ++d) {
    const int64_t limit = i.shape.dimensions[d] - update.dimensions[d];
    if (limit > 0)
      start[d] = Affine::of(clamped_start(e, e.operand(i, 2 + d, Index::scalar()).re, limit));
  }
  const int last = update.rank() - 1;
  const bool vectors = last >= 0 && e.vectorizable(i.operands[1], last);
  for_each_vector(e, update.dimensions, vectors ? e.preferred_lanes(update.dimensions.back()) : 1,
                  [&](const Index& index) {
                    Index to = index;
                    for (int d = 0; d < i.shape.rank(); ++d) to.at[d] = index.at[d].plus(start[d]);
                    e.store(e.output_buffer(0), i.shape, to, e.operand(i, 1, index));
                  });
}

void schedule(hlo::Op<Opcode::kScatter>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  kernel::Builder& b = e.b;
  const auto& s = i.get<hlo::ScatterAttributes>();
  const int count = static_cast<int>((i.operands.size() - 1) / 2);
  const hlo::Shape& operand = e.shape(i.operands[0]);
  const hlo::Shape& indices = e.shape(i.operands[count]);
  const hlo::Shape& updates = e.shape(i.operands[count + 1]);
  // Window dimensions of the operand in order, and the extent each window has there.
  hlo::Dimensions window_dims, extents(operand.rank(), 1);
  for (int d = 0; d < operand.rank(); ++d)
    if (!contains(s.inserted_window_dims, d) && !contains(s.input_batching_dims, d))
      window_dims.push_back(d);
  for (size_t n = 0; n < window_dims.size(); ++n)
    extents[window_dims[n]] = updates.dimensions[s.update_window_dims[n]];
  hlo::Dimensions scatter_extents, window_extents;
  for (int d = 0; d < updates.rank(); ++d) {
    if (contains(s.update_window_dims, d)) continue;
    scatter_extents.push_back(updates.dimensions[d]);
  }
  for (int64_t d : s.update_window_dims) window_extents.push_back(updates.dimensions[d]);

  e.loop_over(scatter_extents, [&](const std::vector<Affine>& batch) {
    std::vector<Affine> start(operand.rank());
    ValueId inside = kNone;
    for (size_t n = 0; n < s.scatter_dims_to_operand_dims.size(); ++n) {
      const int64_t d = s.scatter_dims_to_operand_dims[n];
      Index at;
      size_t next = 0;
      for (int k = 0; k < indices.rank(); ++k)
        at.at.push_back(k == s.index_vector_dim ? Affine::constant(static_cast<int64_t>(n))
                                                : batch[next++]);
      const ValueId raw = e.operand(i, count, at).re;
      // A window that does not lie inside as a whole is dropped: clamping moves it, and then it
      // differs.
      const int64_t limit = operand.dimensions[d] - extents[d];
      const ValueId clamped = clamped_start(e, raw, std::max<int64_t>(limit, 0));
      const ValueId back = b.convert(clamped, b.type(raw).scalar);
      ValueId ok = b.compare(Predicate::kEq, back, raw);
      // Index types narrower than the bound: every value that is not negative is inside.
      ok = b.logical_and(ok, b.compare(Predicate::kLe, clamped, b.index(limit)));
      inside = inside == kNone ? ok : b.logical_and(inside, ok);
      start[d] = Affine::of(clamped);
    }
    for (size_t n = 0; n < s.input_batching_dims.size(); ++n) {
      int64_t d = s.scatter_indices_batching_dims[n];
      if (d > s.index_vector_dim) --d;
      start[s.input_batching_dims[n]] = batch[d];
    }
    const auto write = [&]() -> Values {
      e.loop_over(window_extents, [&](const std::vector<Affine>& within) {
        Index from, to;
        from.at.resize(updates.rank());
        to.at = start;
        size_t next = 0;
        for (int d = 0; d < updates.rank(); ++d)
          if (!contains(s.update_window_dims, d)) from.at[d] = batch[next++];
        for (size_t n = 0; n < within.size(); ++n) {
          from.at[s.update_window_dims[n]] = within[n];
          to.at[window_dims[n]] = start[window_dims[n]].plus(within[n]);
        }
        std::vector<Element> parameters, results;
        for (int n = 0; n < count; ++n) {
          const hlo::Shape& shape = e.shape(i.operands[n]);
          parameters.push_back(e.load(e.output_buffer(n), shape, to));
        }
        for (int n = 0; n < count; ++n) parameters.push_back(e.operand(i, count + 1 + n, from));
        results = e.call(i.called[0], parameters);
        for (int n = 0; n < count; ++n)
          e.store(e.output_buffer(n), e.shape(i.operands[n]), to, results[n]);
      });
      return {};
    };
    if (inside == kNone) {
      write();
    } else {
      e.if_else(inside, write, []() -> Values { return {}; });
    }
  });
}

}  // namespace hlocc::lowering
