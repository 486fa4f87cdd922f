// reduce: any number of operands, any computation. With a plain monoid over contiguous elements lanes run along the result
// (minor dimension kept) or along the reduced minor dimension, whose partial results are combined at the end.
#include <algorithm>

#include "lowering/loop_ops.h"
#include "ops/reducer.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

bool contains(const hlo::Dimensions& dims, int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

struct Reduce {
  Emitter& e;
  InstructionId id;
  const Instruction& i;
  hlo::Dimensions reduced;
  // Operands without the initial values, or the reductions of one operand each that walk the same elements.
  int inputs;
  std::vector<InstructionId> together;

  bool are_several() const { return together.size() > 1; }
  const hlo::Shape& input() const { return e.shape(i.operands[0]); }
  bool is_complex(int n) const { return !are_several() && hlo::is_complex(e.shape(i.operands[n]).element_type); }
  Element operand(int n, const Index& index) const {
    return are_several() ? e.operand(e.instruction(together[n]), 0, index) : e.operand(i, n, index);
  }
  Element first(int n) const {
    return are_several() ? e.operand(e.instruction(together[n]), 1, Index::scalar()) : e.operand(i, inputs + n, Index::scalar());
  }

  Values flatten(const std::vector<Element>& elements) const {
    Values out;
    for (const Element& x : elements) {
      out.push_back(x.re);
      if (x.is_complex()) out.push_back(x.im);
    }
    return out;
  }
  std::vector<Element> unflatten(std::span<const ValueId> values) const {
    std::vector<Element> out;
    size_t at = 0;
    for (int n = 0; n < inputs; ++n) {
      Element x{values[at++]};
      if (is_complex(n)) x.im = values[at++];
      out.push_back(x);
    }
    return out;
  }
  std::vector<Element> combine(std::vector<Element> acc, const std::vector<Element>& next) const {
    if (are_several()) {
      for (int n = 0; n < inputs; ++n) acc[n] = e.call(e.instruction(together[n]).called[0], {acc[n], next[n]})[0];
      return acc;
    }
    acc.insert(acc.end(), next.begin(), next.end());
    return e.call(i.called[0], std::move(acc));
  }
  std::vector<Element> initial(int lanes) const {
    std::vector<Element> out;
    for (int n = 0; n < inputs; ++n) out.push_back(e.splat(first(n), lanes));
    return out;
  }
  // Index into the operands from the result's index and the counters of the reduced dimensions.
  Index place(const Index& result, const std::vector<Affine>& counters) const {
    Index at;
    at.at.resize(input().rank());
    at.lanes = result.lanes;
    size_t kept = 0, gone = 0;
    for (int d = 0; d < input().rank(); ++d) {
      if (contains(reduced, d)) {
        at.at[d] = counters[gone++];
        continue;
      }
      if (static_cast<int>(kept) == result.lane_dim) at.lane_dim = d;
      at.at[d] = result.at[kept++];
    }
    return at;
  }
  // Runs the loops over the reduced dimensions; the last of them in steps of `step` up to `limit`.
  Values loops(const std::function<Values(const std::vector<Affine>&, Values)>& body, Values carried, int64_t begin,
               int64_t limit, int64_t step) const {
    hlo::Dimensions extents;
    for (int d = 0; d < input().rank(); ++d)
      if (contains(reduced, d)) extents.push_back(input().dimensions[d]);
    std::vector<Affine> at;
    const std::function<Values(Values)> next = [&](Values v) -> Values {
      if (at.size() == extents.size()) return body(at, std::move(v));
      const bool last = at.size() + 1 == extents.size();
      return e.loop(last ? begin : 0, last ? limit : extents[at.size()], last ? step : 1, std::move(v),
                    [&](Affine counter, std::span<const ValueId> values) {
                      at.push_back(counter);
                      Values out = next({values.begin(), values.end()});
                      at.pop_back();
                      return out;
                    });
    };
    return next(std::move(carried));
  }
  void finish(const Index& index, const std::vector<Element>& value) const {
    // Results of a variadic reduce are the roots in order (a tuple is taken apart by get-tuple-element).
    if (!i.shape.is_tuple()) {
      for (int n = 0; n < inputs; ++n) e.bind(together[n], index, value[n]);
      e.store_roots(index);
      for (InstructionId each : together) e.unbind(each);
      return;
    }
    for (int n = 0; n < inputs; ++n) {
      hlo::Shape shape = i.shape.tuple[n];
      e.store(e.output_buffer(n), shape, index, value[n]);
    }
  }
};

// One result element (or vector of them along the kept minor dimension) after another.
void along_results(const Reduce& r, int lanes) {
  const hlo::Dimensions dims = r.i.shape.is_tuple() ? r.i.shape.tuple[0].dimensions : r.i.shape.dimensions;
  int64_t last = 0;
  for (int d = 0; d < r.input().rank(); ++d)
    if (contains(r.reduced, d)) last = r.input().dimensions[d];
  for_each_vector(r.e, dims, lanes, [&](const Index& index) {
    const int width = index.has_lanes() ? index.lanes : 1;
    const Values out = r.loops(
        [&](const std::vector<Affine>& counters, Values acc) {
          std::vector<Element> next;
          for (int n = 0; n < r.inputs; ++n) next.push_back(r.operand(n, r.place(index, counters)));
          return r.flatten(r.combine(r.unflatten(acc), next));
        },
        r.flatten(r.initial(width)), 0, last, 1);
    r.finish(index, r.unflatten(out));
  });
}

// Lanes along the reduced minor dimension: vector partials start at the identity, the initial value joins at the end.
void along_minor(const Reduce& r, int lanes, const std::vector<OpKind>& across, const std::vector<hlo::Literal>& identities) {
  Emitter& e = r.e;
  const int64_t extent = r.input().dimensions.back();
  const int64_t whole = extent / lanes * lanes;
  e.loop_over(r.i.shape.dimensions, [&](const std::vector<Affine>& at) {
    Index index;
    index.at = at;
    const auto elements_at = [&](const std::vector<Affine>& counters, int width) {
      Index place = r.place(index, counters);
      place.lanes = width;
      if (width > 1) place.lane_dim = r.input().rank() - 1;
      std::vector<Element> out;
      for (int n = 0; n < r.inputs; ++n) out.push_back(r.operand(n, place));
      return out;
    };
    Values first;
    for (const hlo::Literal& identity : identities) first.push_back(e.constant(identity, 0, lanes).re);
    const Values sums = r.loops(
        [&](const std::vector<Affine>& counters, Values acc) {
          return r.flatten(r.combine(r.unflatten(acc), elements_at(counters, lanes)));
        },
        first, 0, whole, lanes);
    std::vector<Element> totals;
    for (int n = 0; n < r.inputs; ++n) totals.push_back({e.b.reduce(across[n], sums[n])});
    const Values out = r.loops(
        [&](const std::vector<Affine>& counters, Values acc) {
          return r.flatten(r.combine(r.unflatten(acc), elements_at(counters, 1)));
        },
        r.flatten(r.combine(r.initial(1), totals)), whole, extent, 1);
    r.finish(index, r.unflatten(out));
  });
}

}  // namespace

std::optional<OpKind> across_lanes(Opcode op, Scalar type) {
  if (type == Scalar::kPred) return std::nullopt;
  switch (op) {
    case Opcode::kAdd: return OpKind::kReduceAdd;
    case Opcode::kMultiply: return OpKind::kReduceMul;
    case Opcode::kMaximum: return OpKind::kReduceMax;
    case Opcode::kMinimum: return OpKind::kReduceMin;
    default: return std::nullopt;
  }
}

void schedule(hlo::Op<Opcode::kReduce>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  Reduce r{e, id, i, i.get<hlo::DimensionsAttributes>().dimensions, static_cast<int>(i.operands.size() / 2), {id}};
  // Groups of several reductions are joined of those with one real operand and a plain computation.
  if (!i.shape.is_tuple()) {
    r.together.clear();
    for (InstructionId each : inner_instructions(e.group()))
      if (e.instruction(each).opcode == Opcode::kReduce) r.together.push_back(each);
    r.inputs = static_cast<int>(r.together.size());
  }
  const int rank = r.input().rank();
  bool plain = !i.shape.is_tuple() && rank > 0 && !r.is_complex(0), vectors = plain;
  std::vector<OpKind> across;
  std::vector<hlo::Literal> identities;
  for (size_t n = 0; n < r.together.size() && plain; ++n) {
    const Instruction& each = e.instruction(r.together[n]);
    const auto monoid = ops::plain_reducer(e.group().module->computations[each.called[0]]);
    plain = monoid.has_value();
    vectors = vectors && plain && e.vectorizable(each.operands[0], rank - 1);
    if (!plain) break;
    const auto op = across_lanes(*monoid, e.scalar(each.shape));
    const auto identity = ops::identity_of(*monoid, each.shape.element_type);
    if (op && identity) across.push_back(*op), identities.push_back(*identity);
  }
  if (!plain) return along_results(r, 1);
  const int lanes = vectors ? e.preferred_lanes(r.input().dimensions.back()) : 1;
  if (!contains(r.reduced, rank - 1)) {
    bool all = true;
    for (InstructionId root : e.group().roots)
      all = all && (e.instruction(root).opcode == Opcode::kReduce || e.vectorizable(root, i.shape.rank() - 1));
    return along_results(r, all ? lanes : 1);
  }
  if (lanes > 1 && across.size() == r.together.size()) return along_minor(r, lanes, across, identities);
  along_results(r, 1);
}

}  // namespace hlocc::lowering
