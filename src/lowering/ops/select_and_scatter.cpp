// select-and-scatter: each window picks the first element that `select` keeps, and the source
// element is scattered onto it. A window element that lies on padding or in a dilation hole is
// skipped.
#include "lowering/emitter/loop_ops.h"
#include "lowering/emitter/taps.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

// What the walk over a window carries: found yet, position of the pick, its value. After the
// element at `place`: that one, where nothing was found or `select` does not keep the old one.
Values after_element(Emitter& e, const Instruction& i, const Index& place, const Values& acc) {
  kernel::Builder& b = e.b;
  const Element candidate = e.operand(i, 0, place);
  const Element current{acc[2], acc.size() > 3 ? acc[3] : kNone};
  const Element keep = e.call(i.called[0], {current, candidate})[0];
  const ValueId take = b.logical_or(b.unary(OpKind::kNot, acc[0]), b.unary(OpKind::kNot, keep.re));
  const ValueId position = b.value_of(e.position(e.shape(i.operands[0]), place));
  Values picked{b.constant_int({Scalar::kPred, 1}, 1), b.select(take, position, acc[1])};
  picked.push_back(b.select(take, candidate.re, current.re));
  if (current.is_complex()) picked.push_back(b.select(take, candidate.im, current.im));
  return picked;
}

}  // namespace

void schedule(hlo::Op<Opcode::kSelectAndScatter>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  kernel::Builder& b = e.b;
  const auto& window = i.get<hlo::WindowAttributes>().window;
  const hlo::Shape& operand = e.shape(i.operands[0]);
  const hlo::Shape& source = e.shape(i.operands[1]);
  const kernel::BufferId out = e.output_buffer(0);
  const auto parts = [](const Element& x) { return flatten({x}); };
  for_each_vector(e, i.shape.dimensions, 1, [&](const Index& index) {
    e.store(out, i.shape, index, e.operand(i, 2, Index::scalar()));
  });
  const Type position_type{Scalar::kIndex, 1};
  e.loop_over(source.dimensions, [&](const std::vector<Affine>& at) {
    Values state{b.constant_int({Scalar::kPred, 1}, 0), b.zero(position_type)};
    for (ValueId v : parts(e.zero(operand))) state.push_back(v);
    Index place;
    place.at.resize(operand.rank());
    const std::function<Values(size_t, ValueId, Values)> next = [&](size_t d, ValueId valid,
                                                                    Values acc) -> Values {
      if (d < window.dimensions.size()) {
        return e.loop(0, window.dimensions[d].size, 1, acc,
                      [&](Affine t, std::span<const ValueId> v) {
                        const Tap tap = tap_of(e, window.dimensions[d], operand.dimensions[d],
                                               source.dimensions[d], at[d], t);
                        place.at[d] = tap.position;
                        const ValueId both = tap.valid == kNone ? valid
                                             : valid == kNone   ? tap.valid
                                                                : b.logical_and(valid, tap.valid);
                        return next(d + 1, both, {v.begin(), v.end()});
                      });
      }
      const auto visit = [&] { return after_element(e, i, place, acc); };
      return valid == kNone ? visit() : e.if_else(valid, visit, [&] { return acc; });
    };
    const Values pick = next(0, kNone, state);
    Index from;
    from.at = at;
    const Element update = e.operand(i, 1, from);
    e.if_else(
        pick[0],
        [&]() -> Values {
          Index where;
          where.flat = true;
          where.at = {Affine::of(pick[1])};
          const Element old = e.load(out, i.shape, where);
          e.store(out, i.shape, where, e.call(i.called[1], {old, update})[0]);
          return {};
        },
        []() -> Values { return {}; });
  });
}

}  // namespace hlocc::lowering
