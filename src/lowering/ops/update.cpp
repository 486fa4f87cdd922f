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

namespace {

// A scatter being emitted: windows of updates, each written where its indices say, or not at all.
class Scatter {
 public:
  Scatter(Emitter& e, InstructionId id)
      : e_(e),
        i_(e.instruction(id)),
        s_(i_.get<hlo::ScatterAttributes>()),
        count_(static_cast<int>((i_.operands.size() - 1) / 2)),
        operand_(e.shape(i_.operands[0])),
        updates_(e.shape(i_.operands[count_ + 1])),
        extents_(operand_.rank(), 1) {
    for (int d = 0; d < operand_.rank(); ++d)
      if (!contains(s_.inserted_window_dims, d) && !contains(s_.input_batching_dims, d))
        window_dims_.push_back(d);
    for (size_t n = 0; n < window_dims_.size(); ++n)
      extents_[window_dims_[n]] = updates_.dimensions[s_.update_window_dims[n]];
  }

  void run() {
    hlo::Dimensions scatter_extents;
    for (int d = 0; d < updates_.rank(); ++d)
      if (!contains(s_.update_window_dims, d)) scatter_extents.push_back(updates_.dimensions[d]);
    e_.loop_over(scatter_extents, [&](const std::vector<Affine>& batch) {
      std::vector<Affine> start(operand_.rank());
      const ValueId inside = find_start(batch, start);
      const auto write = [&]() -> Values { return write_window(batch, start), Values{}; };
      if (inside == kNone)
        write();
      else
        e_.if_else(inside, write, []() -> Values { return {}; });
    });
  }

 private:
  // Where the window of one batch of indices begins, and whether it lies inside (kNone: always).
  ValueId find_start(const std::vector<Affine>& batch, std::vector<Affine>& start) {
    kernel::Builder& b = e_.b;
    const hlo::Shape& indices = e_.shape(i_.operands[count_]);
    ValueId inside = kNone;
    for (size_t n = 0; n < s_.scatter_dims_to_operand_dims.size(); ++n) {
      const int64_t d = s_.scatter_dims_to_operand_dims[n];
      Index at;
      size_t next = 0;
      for (int k = 0; k < indices.rank(); ++k)
        at.at.push_back(k == s_.index_vector_dim ? Affine::constant(static_cast<int64_t>(n))
                                                 : batch[next++]);
      const ValueId raw = e_.operand(i_, count_, at).re;
      // A window that does not lie inside as a whole is dropped: clamping moves it, and then it
      // differs.
      const int64_t limit = operand_.dimensions[d] - extents_[d];
      const ValueId clamped = clamped_start(e_, raw, std::max<int64_t>(limit, 0));
      const ValueId back = b.convert(clamped, b.type(raw).scalar);
      ValueId ok = b.compare(Predicate::kEq, back, raw);
      // Index types narrower than the bound: every value that is not negative is inside.
      ok = b.logical_and(ok, b.compare(Predicate::kLe, clamped, b.index(limit)));
      inside = inside == kNone ? ok : b.logical_and(inside, ok);
      start[d] = Affine::of(clamped);
    }
    for (size_t n = 0; n < s_.input_batching_dims.size(); ++n) {
      int64_t d = s_.scatter_indices_batching_dims[n];
      if (d > s_.index_vector_dim) --d;
      start[s_.input_batching_dims[n]] = batch[d];
    }
    return inside;
  }

  void write_window(const std::vector<Affine>& batch, const std::vector<Affine>& start) {
    hlo::Dimensions window_extents;
    for (int64_t d : s_.update_window_dims) window_extents.push_back(updates_.dimensions[d]);
    e_.loop_over(window_extents, [&](const std::vector<Affine>& within) {
      Index from, to;
      from.at.resize(updates_.rank());
      to.at = start;
      size_t next = 0;
      for (int d = 0; d < updates_.rank(); ++d)
        if (!contains(s_.update_window_dims, d)) from.at[d] = batch[next++];
      for (size_t n = 0; n < within.size(); ++n) {
        from.at[s_.update_window_dims[n]] = within[n];
        to.at[window_dims_[n]] = start[window_dims_[n]].plus(within[n]);
      }
      combine(from, to);
    });
  }

  void combine(const Index& from, const Index& to) {
    std::vector<Element> parameters;
    for (int n = 0; n < count_; ++n)
      parameters.push_back(e_.load(e_.output_buffer(n), e_.shape(i_.operands[n]), to));
    for (int n = 0; n < count_; ++n) parameters.push_back(e_.operand(i_, count_ + 1 + n, from));
    const std::vector<Element> results = e_.call(i_.called[0], parameters);
    for (int n = 0; n < count_; ++n)
      e_.store(e_.output_buffer(n), e_.shape(i_.operands[n]), to, results[n]);
  }

  Emitter& e_;
  const Instruction& i_;
  const hlo::ScatterAttributes& s_;
  const int count_;  // of operands
  const hlo::Shape &operand_, &updates_;
  // Window dimensions of the operand in order; the extent that each window has there.
  hlo::Dimensions window_dims_, extents_;
};

}  // namespace

void schedule(hlo::Op<Opcode::kScatter>, Emitter& e, InstructionId id) { Scatter(e, id).run(); }

}  // namespace hlocc::lowering
