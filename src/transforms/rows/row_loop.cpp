// The loop's state is (i, entrance, whole values, windows, exit). Its body makes the new rows of
// each stored array, in a branch where some iterations make none, and moves its window on by them.
// See row_loop.h.
#include "transforms/rows/row_loop.h"

#include <algorithm>
#include <set>

#include "support/text.h"
#include "transforms/build.h"
#include "transforms/rows/loop_parts.h"

namespace hlocc::transforms {
namespace {

class RowLoop : LoopParts {
 public:
  RowLoop(Module& module, ComputationId id, const RowSchedule& schedule)
      : LoopParts(module, id, schedule.exit, schedule.is_reduced, ".rows"),
        s_(schedule),
        chain_(module, id, schedule) {
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
    const auto last = static_cast<int64_t>(initial.size()) - 1;
    const InstructionId ran =
        loop(std::move(initial), s_.iterations, "body",
             [&](Rewriter& r, InstructionId state) { return step(r, state); });
    const InstructionId made = given(ran, s_.is_over_entrance ? 1 : last);
    return s_.is_over_entrance ? exit_of(made) : made;
  }

 private:
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

  // Between iterations that make rows a window stays as it is.
  InstructionId next_window(Rewriter& r, size_t index, InstructionId window, const RowValues& at) {
    const StoredRows& stored = s_.stored[index];
    if (stored.period == 1)
      return moved_on(r, stored.dimension, window, stored.made(), new_rows(r, index, at));
    const InstructionId is_due = chain_.is_due(r, stored, at.iteration);
    return branch(
        r, "_due", is_due, index, at, window,
        [&](Rewriter& inner, const RowValues& values, InstructionId before) {
          return moved_on(inner, stored.dimension, before, stored.made(),
                          new_rows(inner, index, values, true));
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
                                 : written(inner, last().dimension, into, rows, row);
    };
    if (chain_.is_always_made(index)) return add_rows(r, at, exit);
    return branch(r, "", chain_.is_made(r, index, at.iteration), index, at, exit, add_rows,
                  [](Rewriter&, InstructionId before) { return before; });
  }

  InstructionId over_entrance(Rewriter& r, InstructionId both, InstructionId rows,
                              InstructionId row) {
    const int64_t count = r.shape(rows).element_count();
    const InstructionId line = reshape(r, rows, {count});
    const InstructionId size = index_s32(r, count / last().made());
    const InstructionId start = binary(r, Opcode::kMultiply, row, size);
    return r.add(Opcode::kDynamicUpdateSlice, {both, line, start});
  }

  // `suffix` names the branch.
  InstructionId branch(Rewriter& r, const char* suffix, InstructionId condition, size_t index,
                       const RowValues& at, std::optional<InstructionId> carried,
                       const MakeRows& make_rows, const Otherwise& otherwise) {
    const std::string name = cat(outer()[s_.stored[index].value].name, ".rows", suffix);
    return LoopParts::branch(r, chain_, index, at, carried, condition, {name, name + "_beyond"},
                             make_rows, otherwise);
  }

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
