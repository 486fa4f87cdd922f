// split_reductions: long reductions in two, for devices of many threads. A sum over many steps with
// few results would leave a device to few threads, for long; partial results, each over steps that
// lie apart by as many as there are of them, are made by one launch, and put together by the next,
// in order, so that a run gives the same bits each time. Products with a long reduction get one
// more batch (split-K).
#include "costs/long_reductions.h"
#include "ops/reducer.h"
#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

// Sums of smaller floats are kept in wider ones until their end.
bool keeps_partial_results(const Shape& shape) {
  return !hlo::is_complex(shape.element_type) && hlo::type_bits(shape.element_type) >= 32 &&
         shape.element_count() > 0;
}

Dimensions sizes_of(const Shape& shape, const Dimensions& dimensions) {
  Dimensions sizes;
  for (const int64_t d : dimensions) sizes.push_back(shape.dimensions[d]);
  return sizes;
}

// [kept..., steps] with what changes nothing behind it, as [kept..., steps of a part, parts].
InstructionId in_parts(Rewriter& r, InstructionId x, const Literal& identity, int64_t parts) {
  const Dimensions flat = r.shape(x).dimensions;
  const int64_t steps = flat.back(), each = (steps + parts - 1) / parts;
  if (each * parts != steps) {
    std::vector<hlo::PaddingDimension> padding(flat.size());
    padding.back().high = each * parts - steps;
    x = pad(r, x, constant(r, identity), std::move(padding));
  }
  Dimensions split(flat.begin(), flat.end() - 1);
  split.insert(split.end(), {each, parts});
  return reshape(r, x, split);
}

InstructionId split_reduce(Rewriter& r, const Instruction& i, const Target& target) {
  if (i.shape.is_tuple() || !keeps_partial_results(i.shape)) return kNone;
  const std::optional<Opcode> plain = ops::plain_reducer(r.module().computations[i.called[0]]);
  const InstructionId x = i.operands[0];
  const std::optional<Literal> identity =
      plain ? ops::identity_of(*plain, r.type(x)) : std::nullopt;
  if (!identity) return kNone;
  const Dimensions reduced = i.get<hlo::DimensionsAttributes>().dimensions;
  Dimensions kept;
  for (int64_t d = 0; d < r.shape(x).rank(); ++d)
    if (!contains(reduced, d)) kept.push_back(d);
  const int64_t steps = product(sizes_of(r.shape(x), reduced));
  const int64_t parts = costs::partial_results(target, i.shape.element_count(), steps);
  if (parts == 1) return kNone;
  Dimensions flat = sizes_of(r.shape(x), kept);
  const int64_t rank = static_cast<int64_t>(flat.size());
  flat.push_back(steps);
  const Dimensions order = joined(kept, reduced);
  const InstructionId moved = is_counting(order) ? x : transpose(r, x, order);
  const InstructionId split = in_parts(r, reshape(r, moved, flat), *identity, parts);
  const InstructionId partial = reduce(r, *plain, split, {rank});
  return r.add(hlo::make(Opcode::kReduce, i.shape, {partial, i.operands[1]},
                         hlo::DimensionsAttributes{{rank}}, i.called));
}

// The contracted dimension, of `parts` times as many steps, in two.
InstructionId split_side(Rewriter& r, InstructionId side, int64_t contracted, int64_t parts) {
  Dimensions sizes = r.shape(side).dimensions;
  sizes[contracted] /= parts;
  sizes.insert(sizes.begin() + contracted, parts);
  return reshape(r, side, sizes);
}
Dimensions behind(Dimensions dimensions, int64_t inserted) {
  for (int64_t& d : dimensions) d += d >= inserted ? 1 : 0;
  return dimensions;
}

InstructionId split_dot(Rewriter& r, const Instruction& i, const Target& target) {
  const hlo::DotAttributes a = i.get<hlo::DotAttributes>();
  if (a.lhs_contracting.size() != 1 || !keeps_partial_results(i.shape)) return kNone;
  const int64_t left = a.lhs_contracting[0], right = a.rhs_contracting[0];
  const int64_t parts = costs::even_partial_results(target, i.shape.element_count(),
                                                    r.shape(i.operands[0]).dimensions[left]);
  if (parts == 1) return kNone;
  hlo::DotAttributes split = a;
  split.lhs_contracting = {left + 1}, split.rhs_contracting = {right + 1};
  split.lhs_batch = joined({left}, behind(a.lhs_batch, left));
  split.rhs_batch = joined({right}, behind(a.rhs_batch, right));
  Dimensions sizes = joined({parts}, i.shape.dimensions);
  const InstructionId x = split_side(r, i.operands[0], left, parts),
                      y = split_side(r, i.operands[1], right, parts);
  const InstructionId partial =
      r.add(hlo::make(Opcode::kDot, Shape::array(i.shape.element_type, sizes), {x, y}, split));
  return reduce(r, Opcode::kAdd, partial, {0});
}

}  // namespace

Status split_reductions(hlo::Module& module, const PassContext& context) {
  if (context.target.style != KernelStyle::kSimt) return {};
  const auto visit = [&](Rewriter& r, const Instruction& i) -> InstructionId {
    if (i.opcode == Opcode::kReduce) return split_reduce(r, i, context.target);
    if (i.opcode == Opcode::kDot) return split_dot(r, i, context.target);
    return kNone;
  };
  HLOCC_TRY(rewrite(module, visit));
  return {};
}

}  // namespace hlocc::transforms
