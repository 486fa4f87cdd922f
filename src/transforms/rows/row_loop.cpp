// The loop's state is (i, entrance, whole values, exit, windows). Of each window it carries the
// rows that the next iteration sees, too. The body makes the new rows of each stored array and
// joins them to those, without moving any (joined_rows.h); what readers no longer see is free at
// once for the rows that are made next. At its end the rows that stay move to the front of their
// windows, the last array's first: so one window's last row may lie where the first of the one
// before it was. What only every other iteration makes is in one branch. See row_loop.h.
#include "transforms/rows/row_loop.h"

#include <algorithm>
#include <set>

#include "support/text.h"
#include "transforms/build.h"
#include "transforms/rows/joined_rows.h"
#include "transforms/rows/loop_parts.h"

namespace hlocc::transforms {
namespace {

class RowLoop : LoopParts {
 public:
  RowLoop(Module& module, ComputationId id, const RowSchedule& schedule)
      : LoopParts(module, id, schedule.exit, schedule.is_reduced, ".rows"),
        s_(schedule),
        chain_(module, id, schedule),
        entrance_(schedule.rows_arrive ? first_row() : schedule.entrance) {
    std::set<InstructionId> whole;
    for (const StoredRows& stored : s_.stored)
      whole.insert(stored.whole.begin(), stored.whole.end());
    for (InstructionId value : whole)
      if (!is_copied(outer(), value)) whole_.push_back(value);
    for (size_t i = 0; i < s_.stored.size(); ++i) order_.push_back(i);
    std::ranges::stable_sort(order_, {}, [&](size_t i) { return s_.stored[i].period; });
  }

  RowLoopIds built() {
    const InstructionId ran =
        loop(initial_state(), s_.iterations, "body",
             [&](Rewriter& r, InstructionId state) { return step(r, state); });
    const auto behind = static_cast<int64_t>(2 + whole_.size());
    const InstructionId made = given(ran, s_.is_over_entrance ? 1 : behind);
    return {ran, entrance_, exit_of(made)};
  }

 private:
  // What an iteration, or a branch of it, takes and hands on.
  struct State {
    std::map<size_t, InstructionId> kept;  // rows of windows, by stored array
    InstructionId exit = kNone;
  };

  const StoredRows& stored(size_t i) const { return s_.stored[i]; }
  const StoredRows& last() const { return s_.stored.back(); }
  bool has_window(size_t i) const { return i + 1 < s_.stored.size() && stored(i).is_kept(); }
  int64_t kept_rows(size_t i) const { return stored(i).rows() - stored(i).made(); }

  // Arrays with windows that stand in order_ from `position` on, in the order of the state: the
  // last first.
  std::vector<size_t> windows_from(size_t position) const {
    std::vector<size_t> found;
    for (size_t p = order_.size(); p > position; --p)
      if (has_window(order_[p - 1])) found.push_back(order_[p - 1]);
    return found;
  }

  // Ops of the chain are asked for their rows while the loop is built, so the entrance keeps its
  // shape until then.
  InstructionId first_row() { return first_rows(s_.entrance, s_.stored.front(), 1); }
  InstructionId first_rows(InstructionId of, const StoredRows& stored, int64_t rows) {
    const Dimensions zeros(static_cast<size_t>(outer()[of].shape.rank()), 0);
    const Shape shape = rows_shape(stored, rows);
    return add(
        hlo::make(Opcode::kSlice, shape, {of},
                  hlo::SliceAttributes{zeros, shape.dimensions, Dimensions(zeros.size(), 1)}));
  }

  // Where windows follow one another: rows that the exit has made when a window's last row is
  // there, more than the model takes if it leaves out its last ones.
  int64_t exit_rows() const {
    return s_.every == 0 ? last().height : (s_.iterations - 1 + s_.first) / last().period + 1;
  }
  // What counts iterations beside, as windows go on for ever.
  bool counts_in_round() const { return s_.rows_arrive && s_.every > 0 && s_.round() > 1; }

  InstructionId exit_of(InstructionId made) {
    if (s_.is_over_entrance) return exit_over_entrance(made);
    return exit_rows() == last().height ? made : first_rows(made, last(), last().height);
  }
  // The exit lies at the start of the bytes that the entrance had.
  InstructionId exit_over_entrance(InstructionId both) {
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
    state.push_back(s_.is_over_entrance ? line_of_entrance() : entrance_);
    state.insert(state.end(), whole_.begin(), whole_.end());
    const Shape exit = s_.every > 0 ? rows_shape(last(), exit_rows()) : outer()[s_.exit].shape;
    if (!s_.is_over_entrance) state.push_back(filled(exit_value(), exit));
    for (size_t i : windows_from(0))
      state.push_back(filled(beyond(stored(i)), rows_shape(stored(i), kept_rows(i))));
    if (counts_in_round()) state.push_back(state[0]);
    return state;
  }

  // --- the body ---
  InstructionId step(Rewriter& r, InstructionId state) {
    const InstructionId i = element(r, state, 0);
    std::vector<InstructionId> next{binary(r, Opcode::kAdd, i, index_s32(r, 1))};
    RowValues at{.iteration = i};
    int64_t position = 1;
    const auto take = [&] { return element(r, state, position++); };
    next.push_back(at.entrance = take());
    for (InstructionId value : whole_) next.push_back(at.whole[value] = take());
    State carried;
    carried.exit = s_.is_over_entrance ? at.entrance : take();
    for (size_t index : windows_from(0)) carried.kept[index] = take();
    if (counts_in_round()) at.iteration = take();
    make_rows(r, 0, 1, at, carried);
    if (s_.is_over_entrance)
      next[1] = carried.exit;
    else
      next.push_back(carried.exit);
    for (size_t index : windows_from(0)) next.push_back(carried.kept.at(index));
    if (counts_in_round()) next.push_back(next_in_round(r, at.iteration));
    return tuple(r, std::move(next));
  }

  InstructionId next_in_round(Rewriter& r, InstructionId i) {
    const InstructionId next = binary(r, Opcode::kAdd, i, index_s32(r, 1));
    const InstructionId is_next = compare(r, next, index_s32(r, s_.round()), hlo::Direction::kGe);
    return select(r, is_next, index_s32(r, 0), next);
  }

  // The rows of all arrays from `position` on, in an iteration that `period` divides.
  void make_rows(Rewriter& r, size_t position, int64_t period, RowValues at, State& carried) {
    std::vector<size_t> joined_here;
    for (; position < order_.size() && stored(order_[position]).period == period; ++position) {
      const size_t index = order_[position];
      if (index + 1 == s_.stored.size()) {
        carried.exit = with_exit_rows(r, carried.exit, at);
      } else if (has_window(index)) {
        at.windows[index] = with_new_rows(r, index, at, carried);
        joined_here.push_back(index);
      } else {
        at.windows[index] = new_rows(r, index, at);
      }
    }
    if (position < order_.size()) make_rows_if_due(r, position, at, carried);
    std::ranges::reverse(joined_here);
    for (size_t index : joined_here) carried.kept[index] = moved(r, carried.kept[index]);
  }

  // Gives the window and leaves in `carried` the rows of it that the next iteration sees.
  InstructionId with_new_rows(Rewriter& r, size_t index, const RowValues& at, State& carried) {
    const StoredRows& array = stored(index);
    InstructionId& kept = carried.kept.at(index);
    InstructionId added = new_rows(r, index, at);
    if (added == at.entrance) added = moved(r, added);  // out of the caller's memory
    const InstructionId window = joined(r, {kept, added}, array.dimension);
    kept = part_of(r, window, array.dimension, array.made(), array.rows());
    return window;
  }

  // A slice of all of it is a kernel's work, which may write a little ahead of where it reads.
  static InstructionId moved(Rewriter& r, InstructionId rows) {
    return slice(r, rows, Dimensions(r.shape(rows).dimensions.size(), 0), r.shape(rows).dimensions);
  }

  static InstructionId packed_values(Rewriter& r, const RowValues& at) {
    std::vector<InstructionId> values{at.iteration, at.entrance};
    for (const auto& [around, value] : at.whole) values.push_back(value);
    for (const auto& [index, value] : at.windows) values.push_back(value);
    return tuple(r, std::move(values));
  }
  // The same out of a tuple again.
  static RowValues unpacked_values(Rewriter& r, InstructionId packed, RowValues at) {
    int64_t place = 0;
    const auto take = [&] { return element(r, packed, place++); };
    at.iteration = take();
    at.entrance = take();
    for (auto& [around, value] : at.whole) value = take();
    for (auto& [index, value] : at.windows) value = take();
    return at;
  }

  // The arrays from `position` on have rows in some of these iterations; in the others their
  // windows stay as they are.
  void make_rows_if_due(Rewriter& r, size_t position, const RowValues& at, State& carried) {
    const std::vector<size_t> windows = windows_from(position);
    const auto packed = [&](Rewriter& to, const State& state) {
      std::vector<InstructionId> values{state.exit};
      for (size_t index : windows) values.push_back(state.kept.at(index));
      return tuple(to, std::move(values));
    };
    const auto unpacked = [&](Rewriter& from, InstructionId values, State& state) {
      int64_t place = 0;
      state.exit = element(from, values, place++);
      for (size_t index : windows) state.kept[index] = element(from, values, place++);
    };
    const int64_t period = stored(order_[position]).period;
    const InstructionId is_due = chain_.is_due(r, stored(order_[position]), at.iteration);
    const InstructionId around = packed_values(r, at), before = packed(r, carried);
    const InstructionId both = tuple(r, {around, before});
    const std::string name = cat(outer()[s_.exit].name, ".rows_every_", period);
    const ComputationId yes =
        new_computation(r.module(), name, {r.shape(both)},
                        [&](Rewriter& inner, const std::vector<InstructionId>& p) {
                          State state;
                          unpacked(inner, element(inner, p[0], 1), state);
                          make_rows(inner, position, period,
                                    unpacked_values(inner, element(inner, p[0], 0), at), state);
                          return packed(inner, state);
                        });
    const ComputationId no =
        new_computation(r.module(), name + "_else", {r.shape(before)},
                        [](Rewriter&, const std::vector<InstructionId>& p) { return p[0]; });
    const InstructionId made = r.add(Opcode::kConditional, {is_due, both, before}, {}, {yes, no});
    unpacked(r, made, carried);
  }

  // In an iteration that the array's period divides. Outside of the array they hold what lies
  // beyond it.
  InstructionId new_rows(Rewriter& r, size_t index, const RowValues& at) {
    if (chain_.is_always_made(index)) return chain_.rows(r, index, at);
    return branch(
        r, chain_.is_made(r, index, at.iteration), index, at, {},
        [&](Rewriter& inner, const RowValues& values, InstructionId) {
          return chain_.rows(inner, index, values);
        },
        [&](Rewriter& inner, InstructionId) {
          return splat(inner, beyond(stored(index)),
                       rows_shape(stored(index), stored(index).made()).dimensions);
        });
  }

  // What the rows of the exit add to it; nothing before the first row, where the entrance may still
  // lie there.
  InstructionId with_exit_rows(Rewriter& r, InstructionId exit, const RowValues& at) {
    const size_t index = s_.stored.size() - 1;
    if (s_.every > 0) return with_exit_window(r, exit, chain_.rows(r, index, at));
    const auto add_rows = [&](Rewriter& inner, const RowValues& values, InstructionId into) {
      return with_rows_added(inner, values, into, last().made());
    };
    if (const int64_t rest = chain_.last_exit_rows(); rest < last().made())
      return with_uneven_rows(r, exit, at, rest);
    if (chain_.is_always_made(index)) return add_rows(r, at, exit);
    return branch(r, chain_.is_made(r, index, at.iteration), index, at, exit, add_rows,
                  [](Rewriter&, InstructionId before) { return before; });
  }

  InstructionId with_rows_added(Rewriter& r, const RowValues& at, InstructionId into,
                                int64_t count) {
    const InstructionId rows = chain_.exit_rows(r, at, count);
    if (s_.is_reduced) return reduced(r, into, rows);
    const InstructionId row = chain_.first_row(r, last(), at.iteration);
    return s_.is_over_entrance ? over_entrance(r, into, rows, row)
                               : written(r, last().dimension, into, rows, row);
  }

  // The last iteration makes fewer rows than the others.
  InstructionId with_uneven_rows(Rewriter& r, InstructionId exit, const RowValues& at,
                                 int64_t rest) {
    const size_t index = s_.stored.size() - 1;
    const auto add_rows = [&](int64_t count) {
      return [this, count](Rewriter& inner, const RowValues& values, InstructionId into) {
        return with_rows_added(inner, values, into, count);
      };
    };
    const auto keep = [](Rewriter&, InstructionId before) { return before; };
    const InstructionId is_last = chain_.is_exit_made(r, at.iteration, true);
    const std::string name = outer()[s_.exit].name + ".rows_last";
    return LoopParts::choice(
        r, chain_, index, at, exit, is_last, {name, name + "_else"}, add_rows(rest),
        [&](Rewriter& inner, const RowValues& values, InstructionId into) {
          return branch(inner, chain_.is_exit_made(inner, values.iteration, false), index, values,
                        into, add_rows(last().made()), keep);
        });
  }

  InstructionId with_exit_window(Rewriter& r, InstructionId exit, InstructionId row) {
    if (exit_rows() == 1) return row;
    const int64_t dimension = last().dimension;
    return joined(r, {moved(r, part_of(r, exit, dimension, 1, exit_rows())), row}, dimension);
  }

  InstructionId over_entrance(Rewriter& r, InstructionId both, InstructionId rows,
                              InstructionId row) {
    const int64_t count = r.shape(rows).element_count();
    const InstructionId line = reshape(r, rows, {count});
    const InstructionId size = index_s32(r, count / r.shape(rows).dimensions[last().dimension]);
    const InstructionId start = binary(r, Opcode::kMultiply, row, size);
    return r.add(Opcode::kDynamicUpdateSlice, {both, line, start});
  }

  InstructionId branch(Rewriter& r, InstructionId condition, size_t index, const RowValues& at,
                       std::optional<InstructionId> carried, const MakeRows& make_rows,
                       const Otherwise& otherwise) {
    const std::string name = cat(outer()[stored(index).value].name, ".rows");
    return LoopParts::branch(r, chain_, index, at, carried, condition, {name, name + "_beyond"},
                             make_rows, otherwise);
  }

  const RowSchedule& s_;
  RowsOfChain chain_;
  const InstructionId entrance_;      // that the loop gets, in its initial state
  std::vector<InstructionId> whole_;  // handed into the loop
  // Stored arrays, those first that more iterations make rows of; operands before users.
  std::vector<size_t> order_;
};

}  // namespace

RowLoopIds make_row_loop(Module& module, ComputationId computation, const RowSchedule& schedule) {
  const RowLoopIds made = RowLoop(module, computation, schedule).built();
  module.computations[computation].replace_uses(schedule.exit, made.exit);
  return made;
}

}  // namespace hlocc::transforms
