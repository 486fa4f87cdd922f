// reduce: any number of operands, any computation. With a plain monoid over contiguous elements
// lanes run along the result (minor dimension kept) or along the reduced minor dimension, whose
// partial results are combined at the end. Several results or several partial results at a time
// don't wait for each other.
#include <algorithm>
#include <span>

#include "costs/code.h"
#include "hlo/dimensions.h"
#include "lowering/emitter/loop_ops.h"
#include "lowering/ops/reduction.h"
#include "ops/reducer.h"

namespace hlocc::lowering {

using hlo::contains;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::OpKind;
using kernel::Scalar;
using kernel::ValueId;
using kernel::Values;

namespace {

struct Reduce : Reduction {
  hlo::Dimensions reduced;

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
  Values loops(const std::function<Values(const std::vector<Affine>&, Values)>& body,
               Values carried, int64_t begin, int64_t limit, int64_t step) const {
    hlo::Dimensions extents;
    for (int d = 0; d < input().rank(); ++d)
      if (contains(reduced, d)) extents.push_back(input().dimensions[d]);
    std::vector<Affine> at;
    const std::function<Values(Values)> next = [&](Values v) -> Values {
      if (at.size() == extents.size()) return body(at, std::move(v));
      const bool last = at.size() + 1 == extents.size();
      return e.loop(last ? begin : 0, last ? limit : extents[at.size()], last ? step : 1,
                    std::move(v), [&](Affine counter, std::span<const ValueId> values) {
                      at.push_back(counter);
                      Values out = next({values.begin(), values.end()});
                      at.pop_back();
                      return out;
                    });
    };
    return next(std::move(carried));
  }
};

// Tiles of results, or of vectors of them along the kept minor dimension; `most` neighbours at a
// time. Where one stands alone, several of its elements are taken in an iteration, in their order.
void along_results(const Reduce& r, int lanes, int most) {
  Emitter& e = r.e;
  int64_t extent = 0;
  for (int d = 0; d < r.input().rank(); ++d)
    if (contains(r.reduced, d)) extent = r.input().dimensions[d];
  const int64_t several = costs::elements_an_iteration(e.target(), r.input().element_count());
  const int64_t iteration = most > 1 ? 1 : several, whole = extent / iteration * iteration;
  const auto tile = [&](const std::vector<Index>& results) {
    Values sums = r.initial_of_each(results.size(), results[0].lanes);
    const auto steps = [&](int64_t count) {
      return [&, count](std::vector<Affine> counters, Values acc) {
        for (int64_t k = 0; k < count; ++k) {
          std::vector<Index> places;
          for (const Index& result : results) places.push_back(r.place(result, counters));
          acc = r.add_each(acc, places);
          if (!counters.empty()) counters.back() = counters.back().plus(1);
        }
        return acc;
      };
    };
    if (r.reduced.size() > 1 || whole == 0) {
      sums = r.loops(steps(1), std::move(sums), 0, extent, 1);
    } else {
      sums = r.loops(steps(iteration), std::move(sums), 0, whole, iteration);
      if (whole < extent) sums = r.loops(steps(1), std::move(sums), whole, extent, 1);
    }
    r.finish_each(results, sums);
  };
  for_each_tile(e, r.output(), lanes, most, tile);
}

// Lanes along the reduced minor dimension: vector partials start at the identity, the initial value
// joins at the end.
void along_minor(const Reduce& r, int lanes, const std::vector<OpKind>& across,
                 const std::vector<hlo::Literal>& identities) {
  Emitter& e = r.e;
  const int64_t extent = r.input().dimensions.back();
  constexpr int64_t kPartials = 4;
  const int64_t partials =
      extent >= 2 * kPartials * lanes && !e.target().options.for_size() ? kPartials : 1;
  const int64_t several = extent / (partials * lanes) * (partials * lanes),
                whole = extent / lanes * lanes;
  const auto parts = static_cast<size_t>(r.inputs);
  e.loop_over(r.i.shape.dimensions, [&](const std::vector<Affine>& at) {
    Index index;
    index.at = at;
    // Adds `count` vectors side by side to as many sums.
    const auto vectors = [&](int64_t count, int width) {
      return [&, count, width](const std::vector<Affine>& counters, Values acc) {
        std::vector<Index> places(count, r.place(index, counters));
        for (int64_t n = 0; n < count; ++n) {
          places[n].at.back() = places[n].at.back().plus(n * width);
          places[n].along(r.input().rank() - 1, width);
        }
        return r.add_each(acc, places);
      };
    };
    Values sums;
    for (int64_t n = 0; n < partials; ++n)
      for (const hlo::Literal& identity : identities)
        sums.push_back(r.encoded(e.constant(identity, 0, lanes)).re);
    sums = r.loops(vectors(partials, lanes), std::move(sums), 0, several, partials * lanes);
    for (; sums.size() > parts; sums.resize(sums.size() - parts)) {
      const auto both = std::span(sums).last(2 * parts);
      std::ranges::copy(
          flatten(r.combine(r.unflatten(both.first(parts)), r.unflatten(both.last(parts)))),
          both.begin());
    }
    sums = r.loops(vectors(1, lanes), std::move(sums), several, whole, lanes);
    std::vector<Element> totals;
    for (size_t n = 0; n < parts; ++n) totals.push_back({e.b.reduce(across[n], sums[n])});
    const Values out =
        r.loops(vectors(1, 1), flatten(r.combine(r.initial(1), totals)), whole, extent, 1);
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
  Reduce r{{e, i, static_cast<int>(i.operands.size() / 2), {id}},
           i.get<hlo::DimensionsAttributes>().dimensions};
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
  if (!plain) return along_results(r, 1, 1);
  const int lanes = vectors ? e.preferred_lanes(r.input().dimensions.back()) : 1;
  const auto choose_order = [&](int width) {
    if (!r.are_several())
      r.ordered = OrderedBits::of(e, e.group().module->computations[i.called[0]], width);
  };
  if (!contains(r.reduced, rank - 1)) {
    bool all = true;
    for (InstructionId root : e.group().roots)
      all = all && (e.instruction(root).opcode == Opcode::kReduce ||
                    e.vectorizable(root, i.shape.rank() - 1));
    choose_order(all ? lanes : 1);
    return along_results(r, all ? lanes : 1,
                         costs::elements_an_iteration(e.target(), r.input().element_count()));
  }
  const bool in_lanes = lanes > 1 && across.size() == r.together.size();
  choose_order(in_lanes ? lanes : 1);
  if (in_lanes) return along_minor(r, lanes, across, identities);
  along_results(r, 1, 1);
}

}  // namespace hlocc::lowering
