// sort: a bottom-up merge sort, stable, O(n log n), without recursion. Each row along the sort
// dimension is copied into scratch and merged to and fro between two scratch rows; the comparator
// is inlined.
#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

struct Sort {
  Emitter& e;
  const Instruction& i;
  int64_t extent;
  std::vector<kernel::BufferId> rows[2];  // scratch: one row an operand, twice

  hlo::Shape row_shape(size_t n) const {
    return hlo::Shape::array(e.shape(i.operands[n]).element_type, {extent});
  }
  Element load(int side, size_t n, ValueId at) const {
    Index index;
    index.at = {Affine::of(at)};
    return e.load(rows[side][n], row_shape(n), index);
  }
  void move(int side, ValueId from, ValueId to) const {
    Index index;
    index.at = {Affine::of(to)};
    for (size_t n = 0; n < i.operands.size(); ++n)
      e.store(rows[1 - side][n], row_shape(n), index, load(side, n, from));
  }
  ValueId before(int side, ValueId a, ValueId b) const {
    std::vector<Element> parameters;
    for (size_t n = 0; n < i.operands.size(); ++n) {
      parameters.push_back(load(side, n, a));
      parameters.push_back(load(side, n, b));
    }
    return e.call(i.called[0], std::move(parameters))[0].re;
  }
};

// Merges all pairs of runs of `width` elements from one side to the other.
void merge_pass(const Sort& s, int side, int64_t width) {
  Emitter& e = s.e;
  kernel::Builder& b = e.b;
  e.loop(0, s.extent, 2 * width, {}, [&](Affine begin, std::span<const ValueId>) -> Values {
    const ValueId left = b.value_of(begin);
    const ValueId end = b.index(s.extent);
    const ValueId middle = b.min(b.add(left, b.index(width)), end);
    const ValueId right_end = b.min(b.add(left, b.index(2 * width)), end);
    kernel::Loop loop;
    loop.lower = begin;
    loop.upper = Affine::of(right_end);
    b.loop(loop, {left, middle}, [&](ValueId out, std::span<const ValueId> at) -> Values {
      const ValueId l = at[0], r = at[1];
      // The right element goes first only if it is strictly before the left one: ties keep their
      // order.
      const ValueId left_done = b.compare(Predicate::kGe, l, middle);
      const ValueId right_done = b.compare(Predicate::kGe, r, right_end);
      const Values choice = b.if_else(
          left_done,
          [&]() -> Values {
            return {b.constant_int({Scalar::kPred, 1}, 1)};
          },
          [&]() -> Values {
            return b.if_else(
                right_done,
                [&]() -> Values {
                  return {b.constant_int({Scalar::kPred, 1}, 0)};
                },
                [&]() -> Values { return {s.before(side, r, l)}; });
          });
      const ValueId from = b.select(choice[0], r, l);
      s.move(side, from, out);
      return {b.select(choice[0], l, b.add(l, b.index(1))),
              b.select(choice[0], b.add(r, b.index(1)), r)};
    });
    return {};
  });
}

}  // namespace

void schedule(hlo::Op<Opcode::kSort>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const hlo::Shape& first = e.shape(i.operands[0]);
  const int dimension = static_cast<int>(i.get<hlo::SortAttributes>().dimension);
  Sort s{e, i, first.dimensions[dimension], {}};
  for (int side = 0; side < 2; ++side)
    for (size_t n = 0; n < i.operands.size(); ++n) {
      const hlo::Shape& shape = e.shape(i.operands[n]);
      s.rows[side].push_back(e.scratch("row", e.scalar(shape), s.extent * parts(shape)));
    }
  hlo::Dimensions others = first.dimensions;
  others[dimension] = 1;
  e.loop_over(others, [&](const std::vector<Affine>& at) {
    const auto each =
        [&](const std::function<void(size_t, const Index& whole, const Index& row)>& body) {
          e.loop(s.extent, [&](Affine t) {
            Index whole, row;
            whole.at = at;
            whole.at[dimension] = t;
            row.at = {t};
            for (size_t n = 0; n < i.operands.size(); ++n) body(n, whole, row);
          });
        };
    each([&](size_t n, const Index& whole, const Index& row) {
      e.store(s.rows[0][n], s.row_shape(n), row, e.operand(i, static_cast<int>(n), whole));
    });
    int side = 0;
    for (int64_t width = 1; width < s.extent; width *= 2, side = 1 - side)
      merge_pass(s, side, width);
    each([&](size_t n, const Index& whole, const Index& row) {
      e.store(e.output_buffer(static_cast<int>(n)), e.shape(i.operands[n]), whole,
              e.load(s.rows[side][n], s.row_shape(n), row));
    });
  });
}

}  // namespace hlocc::lowering
