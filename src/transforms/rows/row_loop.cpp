// The loop's state is (i, entrance, whole values, windows, exit). Its body makes the new rows of
// each stored array, in a branch where some iterations make none, and moves its window on by them.
// See row_loop.h.
#include "transforms/rows/row_loop.h"

#include <algorithm>
#include <set>

#include "interpreter/strided.h"
#include "support/text.h"
#include "transforms/build.h"
#include "transforms/rows/rows_of_chain.h"

namespace hlocc::transforms {
namespace {

class RowLoop {
 public:
  RowLoop(Module& module, ComputationId id, const RowSchedule& schedule)
      : module_(module), id_(id), s_(schedule), chain_(module, id, schedule) {
    std::set<InstructionId> whole;
    for (const StoredRows& stored : s_.stored)
      whole.insert(stored.whole.begin(), stored.whole.end());
    for (InstructionId value : whole)
      if (!is_copied(outer(), value)) whole_.push_back(value);
    for (size_t i = 0; i + 1 < s_.stored.size(); ++i)
      if (s_.stored[i].is_kept()) kept_.push_back(i);
  }

  InstructionId built() {
    std::vector<InstructionId> initial = initial_state();
    std::vector<Shape> shapes;
    for (InstructionId value : initial) shapes.push_back(outer()[value].shape);
    const Shape state = Shape::make_tuple(std::move(shapes));
    const std::string name = cat(outer()[s_.exit].name, ".rows");
    const ComputationId body = new_computation(
        module_, name + "_body", {state},
        [&](Rewriter& r, const std::vector<InstructionId>& p) { return step(r, p[0]); });
    const ComputationId condition = new_computation(
        module_, name + "_condition", {state},
        [&](Rewriter& r, const std::vector<InstructionId>& p) {
          return compare(r, element(r, p[0], 0), index_s32(r, s_.iterations), hlo::Direction::kLt);
        });
    const InstructionId packed = add(hlo::make(Opcode::kTuple, state, std::move(initial)));
    const InstructionId loop =
        add(hlo::make(Opcode::kWhile, state, {packed}, {}, {body, condition}));
    const auto last = static_cast<int64_t>(state.tuple.size()) - 1;
    const InstructionId made = add(hlo::make(Opcode::kGetTupleElement, state.tuple.back(), {loop},
                                             hlo::TupleIndexAttributes{last}));
    return s_.is_over_entrance ? exit_of(made) : made;
  }

 private:
  Computation& outer() { return module_.computations[id_]; }
  const StoredRows& last() const { return s_.stored.back(); }

  // The exit lies at the start of the bytes that the entrance had.
  InstructionId exit_of(InstructionId both) {
    const Shape shape = hlo::with_default_layout(outer()[s_.exit].shape);
    const int64_t count = shape.element_count();
    if (count != outer()[both].shape.element_count())
      both = add(hlo::make(Opcode::kSlice, Shape::array(shape.element_type, {count}), {both},
                           hlo::SliceAttributes{{0}, {count}, {1}}));
    return add(hlo::make(Opcode::kReshape, shape, {both}));
  }

  InstructionId add(Instruction instruction) {
    const Instruction& exit = outer()[s_.exit];
    instruction.name = cat(exit.name, ".rows");
    instruction.metadata = exit.metadata;
    instruction.line = exit.line;
    return outer().add(std::move(instruction));
  }

  // An array of one value in the computation around the loop.
  InstructionId filled(Literal scalar, const Shape& shape) {
    const InstructionId value = add(hlo::make_constant(std::move(scalar)));
    if (shape.is_scalar()) return value;
    return add(hlo::make(Opcode::kBroadcast, hlo::with_default_layout(shape), {value},
                         hlo::DimensionsAttributes{}));
  }

  Literal beyond(const StoredRows& stored) {
    if (stored.beyond) return *stored.beyond;
    return Literal::zeros(Shape::scalar(outer()[stored.value].shape.element_type));
  }

  Shape rows_shape(const StoredRows& stored, int64_t rows) {
    Shape shape = hlo::with_default_layout(outer()[stored.value].shape);
    shape.dimensions[stored.dimension] = rows;
    return shape;
  }

  Literal exit_value() {
    const Instruction& exit = outer()[s_.exit];
    if (!s_.is_reduced) return Literal::zeros(Shape::scalar(exit.shape.element_type));
    return outer().operand(exit, 1).get<hlo::ConstantAttributes>().value;
  }

  std::vector<InstructionId> initial_state() {
    std::vector<InstructionId> state{
        add(hlo::make_constant(Literal::scalar<int32_t>(PrimitiveType::kS32, 0)))};
    if (!s_.is_over_entrance) state.push_back(s_.entrance);
    state.insert(state.end(), whole_.begin(), whole_.end());
    for (size_t i : kept_)
      state.push_back(filled(beyond(s_.stored[i]), rows_shape(s_.stored[i], s_.stored[i].rows())));
    const Shape from = outer()[s_.entrance].shape, shape = outer()[s_.exit].shape;
    state.push_back(
        s_.is_over_entrance
            ? add(hlo::make(Opcode::kReshape,
                            Shape::array(from.element_type, {from.element_count()}), {s_.entrance}))
            : filled(exit_value(), shape));
    return state;
  }

  // --- the body ---
  InstructionId step(Rewriter& r, InstructionId state) {
    std::vector<InstructionId> next;
    const InstructionId i = element(r, state, 0);
    next.push_back(binary(r, Opcode::kAdd, i, index_s32(r, 1)));
    RowValues at{.iteration = i};
    int64_t position = 1;
    const auto take = [&] { return element(r, state, position++); };
    if (!s_.is_over_entrance) next.push_back(at.entrance = take());
    for (InstructionId value : whole_) next.push_back(at.whole[value] = take());
    std::map<size_t, InstructionId> windows;
    for (size_t index : kept_) windows[index] = take();
    const InstructionId exit = take();
    if (s_.is_over_entrance) at.entrance = exit;
    for (size_t index = 0; index < s_.stored.size(); ++index) {
      const StoredRows& stored = s_.stored[index];
      if (index + 1 == s_.stored.size()) {
        next.push_back(with_exit_rows(r, exit, at));
        break;
      }
      const InstructionId rows = new_rows(r, index, at);
      at.windows[index] = stored.is_kept() ? moved_on(r, stored, windows.at(index), rows) : rows;
      if (stored.is_kept()) next.push_back(at.windows[index]);
    }
    return tuple(r, std::move(next));
  }

  InstructionId moved_on(Rewriter& r, const StoredRows& stored, InstructionId window,
                         InstructionId rows) {
    return concatenate(r, {slice(r, window, stored.dimension, stored.made(), stored.rows()), rows},
                       stored.dimension);
  }

  InstructionId new_rows(Rewriter& r, size_t index, const RowValues& at) {
    const StoredRows& stored = s_.stored[index];
    if (chain_.is_always_made(index)) return chain_.rows(r, index, at);
    return branch(
        r, index, at, {},
        [&](Rewriter& inner, const RowValues& values, InstructionId) {
          return chain_.rows(inner, index, values);
        },
        [&](Rewriter& inner, InstructionId) {
          return splat(inner, beyond(stored), rows_shape(stored, stored.made()).dimensions);
        });
  }

  // What the rows of the exit add to it. Before the first row, what is written at row 0 is
  // overwritten later.
  InstructionId with_exit_rows(Rewriter& r, InstructionId exit, const RowValues& at) {
    const size_t index = s_.stored.size() - 1;
    if (s_.is_over_entrance) return over_entrance(r, exit, at);
    if (!s_.is_reduced) {
      const InstructionId rows = new_rows(r, index, at);
      std::vector<InstructionId> operands{exit, rows};
      const InstructionId zero = index_s32(r, 0);
      for (int d = 0; d < r.shape(exit).rank(); ++d)
        operands.push_back(d == last().dimension
                               ? binary(r, Opcode::kAdd, at.iteration, index_s32(r, s_.first))
                               : zero);
      return r.add(Opcode::kDynamicUpdateSlice, std::move(operands));
    }
    if (chain_.is_always_made(index)) return reduced(r, exit, chain_.rows(r, index, at));
    return branch(
        r, index, at, exit,
        [&](Rewriter& inner, const RowValues& values, InstructionId sum) {
          return reduced(inner, sum, chain_.rows(inner, index, values));
        },
        [](Rewriter&, InstructionId sum) { return sum; });
  }

  // Nothing is written before the first row, where the entrance is still read.
  InstructionId over_entrance(Rewriter& r, InstructionId both, const RowValues& at) {
    const size_t index = s_.stored.size() - 1;
    const auto written = [&](Rewriter& inner, InstructionId into, const RowValues& values) {
      const InstructionId rows = chain_.rows(inner, index, values);
      const int64_t count = inner.shape(rows).element_count();
      const InstructionId line = reshape(inner, rows, {count});
      const InstructionId row =
          binary(inner, Opcode::kAdd, values.iteration, index_s32(inner, s_.first));
      const InstructionId start = binary(inner, Opcode::kMultiply, row, index_s32(inner, count));
      return inner.add(Opcode::kDynamicUpdateSlice, {into, line, start});
    };
    if (chain_.is_always_made(index)) return written(r, both, at);
    return branch(
        r, index, at, both,
        [&](Rewriter& inner, const RowValues& values, InstructionId into) {
          return written(inner, into, values);
        },
        [](Rewriter&, InstructionId into) { return into; });
  }

  InstructionId reduced(Rewriter& r, InstructionId sum, InstructionId rows) {
    const Instruction exit = outer()[s_.exit];
    if (is_ordered_sum(module_, exit)) return added_in_order(r, sum, rows);
    Instruction of_rows = exit;
    of_rows.name.clear();
    of_rows.operands = {rows, constant(r, exit_value())};
    const InstructionId part = r.add(std::move(of_rows));
    const auto reducer = module_.computations[exit.called[0]].root_instruction().opcode;
    return binary(r, reducer, sum, part);
  }

  // One element of the rows after the other, as the reduction of all would take them.
  InstructionId added_in_order(Rewriter& r, InstructionId sum, InstructionId rows) {
    const Dimensions& gone = outer()[s_.exit].get<hlo::DimensionsAttributes>().dimensions;
    const Dimensions from = r.shape(rows).dimensions, to = r.shape(sum).dimensions;
    Dimensions counted(from.size(), 1), index(from.size(), 0);
    for (int64_t d : gone) counted[d] = from[d];
    do {
      hlo::SliceAttributes part{index, from, Dimensions(from.size(), 1)};
      for (int64_t d : gone) part.limits[d] = index[d] + 1;
      const InstructionId element = r.add(Opcode::kSlice, {rows}, std::move(part));
      sum = binary(r, Opcode::kAdd, sum, reshape(r, element, to));
    } while (interpreter::next_index(index, counted));
    return sum;
  }

  using MakeRows = std::function<InstructionId(Rewriter&, const RowValues&, InstructionId carried)>;
  using Otherwise = std::function<InstructionId(Rewriter&, InstructionId carried)>;

  // The rows of stored array `index` where it has any in this iteration; `carried`, if it is a
  // value, goes into both branches.
  InstructionId branch(Rewriter& r, size_t index, const RowValues& at,
                       std::optional<InstructionId> carried, const MakeRows& make_rows,
                       const Otherwise& otherwise) {
    const std::vector<InstructionId> needed = chain_.needed(index, at, carried);
    std::vector<Shape> shapes;
    for (InstructionId value : needed) shapes.push_back(r.shape(value));
    const Shape taken = Shape::make_tuple(std::move(shapes));
    const std::string name = cat(outer()[s_.stored[index].value].name, ".rows");
    const ComputationId yes = new_computation(
        module_, name, {taken}, [&](Rewriter& inner, const std::vector<InstructionId>& p) {
          RowValues values;
          const InstructionId sum = chain_.unpack(inner, p[0], index, at, carried, values);
          return make_rows(inner, values, sum);
        });
    const InstructionId rest =
        tuple(r, carried ? std::vector<InstructionId>{*carried} : std::vector<InstructionId>{});
    const ComputationId no =
        new_computation(module_, name + "_beyond", {r.shape(rest)},
                        [&](Rewriter& inner, const std::vector<InstructionId>& p) {
                          return otherwise(inner, carried ? element(inner, p[0], 0) : p[0]);
                        });
    const InstructionId is_inside = chain_.is_made(r, index, at.iteration);
    const InstructionId packed = tuple(r, needed);
    return r.add(Opcode::kConditional, {is_inside, packed, rest}, {}, {yes, no});
  }

  Module& module_;
  ComputationId id_;
  const RowSchedule& s_;
  RowsOfChain chain_;
  std::vector<InstructionId> whole_;  // handed into the loop
  std::vector<size_t> kept_;          // stored arrays whose windows the loop carries
};

}  // namespace

void make_row_loop(Module& module, ComputationId computation, const RowSchedule& schedule) {
  const InstructionId made = RowLoop(module, computation, schedule).built();
  module.computations[computation].replace_uses(schedule.exit, made);
}

}  // namespace hlocc::transforms
