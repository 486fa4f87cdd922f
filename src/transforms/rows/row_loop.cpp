// The loop's state is (i, entrance, whole values, windows, exit). Its body makes the new rows of
// each stored array, in a branch where some iterations make none, and moves its window on by them.
// See row_loop.h.
#include "transforms/rows/row_loop.h"

#include <algorithm>
#include <set>

#include "support/text.h"
#include "transforms/build.h"
#include "transforms/rows/reduced_rows.h"
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
    const int64_t place = s_.is_over_entrance ? 1 : last;
    const InstructionId made = add(hlo::make(Opcode::kGetTupleElement, state.tuple[place], {loop},
                                             hlo::TupleIndexAttributes{place}));
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

  InstructionId line_of_entrance() {
    const Shape from = outer()[s_.entrance].shape;
    return add(hlo::make(Opcode::kReshape, Shape::array(from.element_type, {from.element_count()}),
                         {s_.entrance}));
  }

  std::vector<InstructionId> initial_state() {
    std::vector<InstructionId> state{
        add(hlo::make_constant(Literal::scalar<int32_t>(PrimitiveType::kS32, 0)))};
    // Before the windows, so that these are filled when what makes the entrance is done.
    state.push_back(s_.is_over_entrance ? line_of_entrance() : s_.entrance);
    state.insert(state.end(), whole_.begin(), whole_.end());
    for (size_t i : kept_)
      state.push_back(filled(beyond(s_.stored[i]), rows_shape(s_.stored[i], s_.stored[i].rows())));
    if (!s_.is_over_entrance) state.push_back(filled(exit_value(), outer()[s_.exit].shape));
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
    next.push_back(at.entrance = take());
    for (InstructionId value : whole_) next.push_back(at.whole[value] = take());
    std::map<size_t, InstructionId> windows;
    for (size_t index : kept_) windows[index] = take();
    const InstructionId exit = s_.is_over_entrance ? at.entrance : take();
    for (size_t index = 0; index < s_.stored.size(); ++index) {
      const StoredRows& stored = s_.stored[index];
      if (index + 1 == s_.stored.size()) {
        const InstructionId rows = with_exit_rows(r, exit, at);
        if (s_.is_over_entrance)
          next[1] = rows;
        else
          next.push_back(rows);
        break;
      }
      at.windows[index] =
          stored.is_kept() ? next_window(r, index, windows.at(index), at) : new_rows(r, index, at);
      if (stored.is_kept()) next.push_back(at.windows[index]);
    }
    return tuple(r, std::move(next));
  }

  InstructionId moved_on(Rewriter& r, const StoredRows& stored, InstructionId window,
                         InstructionId rows) {
    return concatenate(r, {slice(r, window, stored.dimension, stored.made(), stored.rows()), rows},
                       stored.dimension);
  }

  // Between iterations that make rows a window stays as it is.
  InstructionId next_window(Rewriter& r, size_t index, InstructionId window, const RowValues& at) {
    const StoredRows& stored = s_.stored[index];
    if (stored.period == 1) return moved_on(r, stored, window, new_rows(r, index, at));
    const InstructionId is_due = chain_.is_due(r, stored, at.iteration);
    return branch(
        r, "_due", is_due, index, at, window,
        [&](Rewriter& inner, const RowValues& values, InstructionId before) {
          return moved_on(inner, stored, before, new_rows(inner, index, values, true));
        },
        [](Rewriter&, InstructionId before) { return before; });
  }

  // Outside of the array they hold what lies beyond it. `is_due`: the iteration is one of those
  // that make rows.
  InstructionId new_rows(Rewriter& r, size_t index, const RowValues& at, bool is_due = false) {
    const StoredRows& stored = s_.stored[index];
    if (chain_.is_always_made(index, is_due)) return chain_.rows(r, index, at);
    return branch(
        r, "", chain_.is_made(r, index, at.iteration, is_due), index, at, {},
        [&](Rewriter& inner, const RowValues& values, InstructionId) {
          return chain_.rows(inner, index, values);
        },
        [&](Rewriter& inner, InstructionId) {
          return splat(inner, beyond(stored), rows_shape(stored, stored.made()).dimensions);
        });
  }

  // What the rows of the exit add to it; nothing before the first row, where the entrance may still
  // lie there.
  InstructionId with_exit_rows(Rewriter& r, InstructionId exit, const RowValues& at) {
    const size_t index = s_.stored.size() - 1;
    const auto add_rows = [&](Rewriter& inner, const RowValues& values, InstructionId into) {
      const InstructionId rows = chain_.rows(inner, index, values);
      if (s_.is_reduced) return reduced(inner, into, rows);
      const InstructionId row = chain_.first_row(inner, last(), values.iteration);
      return s_.is_over_entrance ? over_entrance(inner, into, rows, row)
                                 : written(inner, into, rows, row);
    };
    if (chain_.is_always_made(index)) return add_rows(r, at, exit);
    return branch(r, "", chain_.is_made(r, index, at.iteration), index, at, exit, add_rows,
                  [](Rewriter&, InstructionId before) { return before; });
  }

  InstructionId written(Rewriter& r, InstructionId into, InstructionId rows, InstructionId row) {
    std::vector<InstructionId> operands{into, rows};
    const InstructionId zero = index_s32(r, 0);
    for (int d = 0; d < r.shape(into).rank(); ++d)
      operands.push_back(d == last().dimension ? row : zero);
    return r.add(Opcode::kDynamicUpdateSlice, std::move(operands));
  }

  InstructionId over_entrance(Rewriter& r, InstructionId both, InstructionId rows,
                              InstructionId row) {
    const int64_t count = r.shape(rows).element_count();
    const InstructionId line = reshape(r, rows, {count});
    const InstructionId size = index_s32(r, count / last().made());
    const InstructionId start = binary(r, Opcode::kMultiply, row, size);
    return r.add(Opcode::kDynamicUpdateSlice, {both, line, start});
  }

  InstructionId reduced(Rewriter& r, InstructionId sum, InstructionId rows) {
    return with_reduced_rows(r, outer()[s_.exit], exit_value(), sum, rows);
  }

  using MakeRows = std::function<InstructionId(Rewriter&, const RowValues&, InstructionId carried)>;
  using Otherwise = std::function<InstructionId(Rewriter&, InstructionId carried)>;

  // What makes rows of stored array `index` where `condition` holds; `carried`, if it is a value,
  // goes into both branches.
  InstructionId branch(Rewriter& r, const char* suffix, InstructionId condition, size_t index,
                       const RowValues& at, std::optional<InstructionId> carried,
                       const MakeRows& make_rows, const Otherwise& otherwise) {
    const std::vector<InstructionId> needed = chain_.needed(index, at, carried);
    std::vector<Shape> shapes;
    for (InstructionId value : needed) shapes.push_back(r.shape(value));
    const Shape taken = Shape::make_tuple(std::move(shapes));
    const std::string name = cat(outer()[s_.stored[index].value].name, ".rows", suffix);
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
    const InstructionId packed = tuple(r, needed);
    return r.add(Opcode::kConditional, {condition, packed, rest}, {}, {yes, no});
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
