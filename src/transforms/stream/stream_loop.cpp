// The loop's state is (i, entrance, whole values, windows, exit). A step puts the entrance's row
// behind its window; each other array whose row is due makes it, in a branch, and moves its window
// on by it. See stream_loop.h.
//
// Where windows follow one another there is no first and no last row: i goes round among the rates,
// each array makes a row whenever its rate divides, and the exit is a window of the last rows. Rows
// that were made of what was there before the first one are in no result.
#include "transforms/stream/stream_loop.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "hlo/leaves.h"
#include "support/number.h"
#include "support/text.h"
#include "transforms/build.h"
#include "transforms/rows/loop_parts.h"

namespace hlocc::transforms {
namespace {

// What the loop is told by: the number of its steps.
constexpr const char* kSteps = "hlocc.stream_steps";
constexpr const char* kEvery = "hlocc.stream_every";

class StreamLoop : LoopParts {
 public:
  StreamLoop(Module& module, const StreamSchedule& schedule, bool row_by_row)
      : LoopParts(module, module.entry, schedule.exit, schedule.is_reduced, ".stream"),
        module_(module),
        s_(schedule),
        row_by_row_(row_by_row),
        entrance_(row_by_row ? first_row() : schedule.entrance) {
    std::set<InstructionId> whole;
    for (size_t i = 0; i < s_.arrays.size(); ++i) {
      of_row_.push_back(schedule_of_row(s_, i));
      whole.insert(array(i).stored.whole.begin(), array(i).stored.whole.end());
    }
    for (InstructionId value : whole)
      if (!is_copied(outer(), value)) whole_.push_back(value);
  }

  // What the loop reads: the parameter, or what stands for its row until the loop is built.
  InstructionId entrance() const { return entrance_; }

  InstructionId built() {
    std::vector<InstructionId> initial = initial_state();
    const auto last = static_cast<int64_t>(initial.size()) - (round() > 1 ? 2 : 1);
    const InstructionId ran =
        loop(std::move(initial), s_.steps, "step",
             [&](Rewriter& r, InstructionId state) { return step(r, state); });
    outer()[ran].frontend_attributes[kSteps] = cat(s_.steps);
    if (s_.every > 0) outer()[ran].frontend_attributes[kEvery] = cat(s_.every);
    return s_.every > 0 ? exit_of(given(ran, last)) : given(ran, last);
  }

 private:
  const StreamedRows& array(size_t i) const { return s_.arrays[i]; }
  size_t count() const { return s_.arrays.size(); }
  // Ops of the chain are asked for their rows while the loop is built, so the entrance keeps its
  // shape until then.
  InstructionId first_row() {
    const Dimensions zeros(static_cast<size_t>(outer()[s_.entrance].shape.rank()), 0);
    const Shape row = rows_shape(array(0).stored, 1);
    return add(hlo::make(Opcode::kSlice, row, {s_.entrance},
                         hlo::SliceAttributes{zeros, row.dimensions, Dimensions(zeros.size(), 1)}));
  }
  // The exit's rows go to the exit.
  bool has_window(size_t i) const { return array(i).is_kept && i + 1 < count(); }

  std::vector<InstructionId> initial_state() {
    std::vector<InstructionId> state{
        add(hlo::make_constant(Literal::scalar<int32_t>(PrimitiveType::kS32, 0))), entrance_};
    state.insert(state.end(), whole_.begin(), whole_.end());
    for (size_t i = 0; i < count(); ++i)
      if (has_window(i))
        state.push_back(
            filled(beyond(array(i).stored), rows_shape(array(i).stored, array(i).rows)));
    const Shape shape =
        s_.every > 0 ? rows_shape(array(count() - 1).stored, exit_rows()) : outer()[s_.exit].shape;
    state.push_back(filled(exit_value(), shape));
    if (round() > 1)
      state.push_back(add(hlo::make_constant(Literal::scalar<int32_t>(PrimitiveType::kS32, 0))));
    return state;
  }

  // --- the body ---
  InstructionId step(Rewriter& r, InstructionId state) {
    std::vector<InstructionId> next;
    RowValues at{.iteration = element(r, state, 0)};
    next.push_back(binary(r, Opcode::kAdd, at.iteration, index_s32(r, 1)));
    int64_t position = 1;
    const auto take = [&] { return element(r, state, position++); };
    next.push_back(at.entrance = take());
    for (InstructionId value : whole_) next.push_back(at.whole[value] = take());
    for (size_t i = 0; i < count(); ++i)
      if (has_window(i)) at.windows[i] = take();
    const InstructionId exit = take();
    if (round() > 1) at.iteration = take();
    if (!array(0).is_kept) at.windows[0] = row_of_entrance(r, at);
    for (size_t i = 0; i < count(); ++i) {
      if (i + 1 == count()) {
        next.push_back(with_row(r, i, at, exit));
      } else if (has_window(i)) {
        at.windows[i] = with_row(r, i, at, at.windows.at(i));
        next.push_back(at.windows[i]);
      }
    }
    if (round() > 1) next.push_back(next_in_round(r, at.iteration));
    return tuple(r, std::move(next));
  }

  // Steps until all arrays make a row in the same one again, which the last element of the state
  // counts; 1 where the loop ends with the window.
  int64_t round() const {
    int64_t steps = 1;
    for (const StreamedRows& made : s_.arrays)
      if (s_.every > 0 && row_by_row_) steps = std::lcm(steps, made.rate);
    return steps;
  }
  InstructionId next_in_round(Rewriter& r, InstructionId i) {
    const InstructionId next = binary(r, Opcode::kAdd, i, index_s32(r, 1));
    const InstructionId is_round = compare(r, next, index_s32(r, round()), hlo::Direction::kGe);
    return select(r, is_round, index_s32(r, 0), next);
  }

  // Rows that the exit has made when a window's last row is there: more than the model takes if it
  // leaves out its last ones.
  int64_t exit_rows() const {
    const StreamedRows& exit = array(count() - 1);
    return (s_.steps - 1 - exit.first) / exit.rate + 1;
  }
  InstructionId exit_of(InstructionId window) {
    const StoredRows& stored = array(count() - 1).stored;
    if (exit_rows() == stored.height) return window;
    const Dimensions zeros(static_cast<size_t>(outer()[window].shape.rank()), 0);
    const Shape shape = rows_shape(stored, stored.height);
    return add(
        hlo::make(Opcode::kSlice, shape, {window},
                  hlo::SliceAttributes{zeros, shape.dimensions, Dimensions(zeros.size(), 1)}));
  }

  InstructionId row_of_entrance(Rewriter& r, const RowValues& at) {
    if (row_by_row_) return at.entrance;
    const StoredRows& stored = array(0).stored;
    std::vector<InstructionId> operands{at.entrance};
    const InstructionId zero = index_s32(r, 0);
    for (int d = 0; d < r.shape(at.entrance).rank(); ++d)
      operands.push_back(d == stored.dimension ? at.iteration : zero);
    return r.add(Opcode::kDynamicSlice, std::move(operands),
                 hlo::DynamicSliceAttributes{rows_shape(stored, 1).dimensions});
  }

  // The window, or the exit, with the row that is due in this step, if one is.
  InstructionId with_row(Rewriter& r, size_t index, const RowValues& at, InstructionId into) {
    const StreamedRows& made = array(index);
    const auto then = [&](Rewriter& inner, const RowValues& values, InstructionId carried) {
      return with_row_due(inner, index, values, carried);
    };
    if (s_.every > 0 ? made.rate == 1
                     : made.first == 0 && made.rate == 1 && made.last_step() >= s_.steps - 1)
      return then(r, at, into);
    if (s_.every > 0) return branch(r, index, at, into, divides(r, made, at), then, unchanged);
    const InstructionId is_due = is_between(r, at.iteration, made.first, made.last_step());
    return branch(r, index, at, into, made.rate == 1 ? is_due : and_each(r, is_due, made, at), then,
                  unchanged);
  }
  static InstructionId unchanged(Rewriter&, InstructionId carried) { return carried; }

  InstructionId rest(Rewriter& r, const StreamedRows& made, InstructionId steps) {
    return std::has_single_bit(static_cast<uint64_t>(made.rate))
               ? binary(r, Opcode::kAnd, steps, index_s32(r, made.rate - 1))
               : binary(r, Opcode::kRemainder, steps, index_s32(r, made.rate));
  }
  InstructionId divides(Rewriter& r, const StreamedRows& made, const RowValues& at) {
    return compare(r, rest(r, made, at.iteration), index_s32(r, made.first % made.rate),
                   hlo::Direction::kEq);
  }
  InstructionId and_each(Rewriter& r, InstructionId is_due, const StreamedRows& made,
                         const RowValues& at) {
    const InstructionId since =
        binary(r, Opcode::kSubtract, at.iteration, index_s32(r, made.first));
    return binary(r, Opcode::kAnd, is_due,
                  compare(r, rest(r, made, since), index_s32(r, 0), hlo::Direction::kEq));
  }

  InstructionId is_between(Rewriter& r, InstructionId i, int64_t first, int64_t last) {
    const auto from = [&] { return compare(r, i, index_s32(r, first), hlo::Direction::kGe); };
    const auto to = [&] { return compare(r, i, index_s32(r, last), hlo::Direction::kLe); };
    if (first <= 0) return to();
    if (last >= s_.steps - 1) return from();
    const InstructionId is_begun = from();
    return binary(r, Opcode::kAnd, is_begun, to());
  }

  // Rows behind the last one hold what lies beyond.
  InstructionId with_row_due(Rewriter& r, size_t index, const RowValues& at, InstructionId into) {
    const StreamedRows& made = array(index);
    if (s_.every > 0) {
      const InstructionId added = row(r, index, at);
      return is_single(index) ? added : moved_on(r, made.stored.dimension, into, 1, added);
    }
    if (index + 1 == count()) return with_exit_row(r, at, into);
    const auto rows = [&](Rewriter& inner, const RowValues& values, InstructionId) {
      return row(inner, index, values);
    };
    const InstructionId added =
        made.last < made.stored.height
            ? rows(r, at, kNone)
            : branch(r, index, at, {}, is_between(r, at.iteration, 0, made.last_made()), rows,
                     [&](Rewriter& inner, InstructionId) {
                       return splat(inner, beyond(made.stored),
                                    rows_shape(made.stored, 1).dimensions);
                     });
    if (made.rows == 1) return added;
    return moved_on(r, made.stored.dimension, into, 1, added);
  }

  bool is_single(size_t index) const {
    return (index + 1 == count() ? exit_rows() : array(index).rows) == 1;
  }

  InstructionId row(Rewriter& r, size_t index, const RowValues& at) {
    if (index == 0) return row_of_entrance(r, at);
    return RowsOfChain(module_, module_.entry, of_row_[index]).rows(r, index, at);
  }

  InstructionId with_exit_row(Rewriter& r, const RowValues& at, InstructionId exit) {
    const size_t index = count() - 1;
    const InstructionId made = row(r, index, at);
    if (s_.is_reduced) return reduced(r, exit, made);
    const InstructionId since =
        binary(r, Opcode::kSubtract, at.iteration, index_s32(r, array(index).first));
    const InstructionId y = binary(r, Opcode::kDivide, since, index_s32(r, array(index).rate));
    return written(r, array(index).stored.dimension, exit, made, y);
  }

  // What array `index` is made of goes into the branch that makes its row, `carried` into both.
  InstructionId branch(Rewriter& r, size_t index, const RowValues& at,
                       std::optional<InstructionId> carried, InstructionId is_due,
                       const MakeRows& make_rows, const Otherwise& otherwise) {
    const std::string name =
        cat(outer()[array(index).stored.value].name, carried ? ".stream" : ".row");
    return LoopParts::branch(r, RowsOfChain(module_, module_.entry, of_row_[index]), index, at,
                             carried, is_due, {name, name + "_not_due"}, make_rows, otherwise);
  }

  Module& module_;
  const StreamSchedule& s_;
  const bool row_by_row_;  // the entrance is the step's row
  const InstructionId entrance_;
  std::vector<RowSchedule> of_row_;   // by array
  std::vector<InstructionId> whole_;  // handed into the loop
};

}  // namespace

void make_stream_loop(Module& module, const StreamSchedule& schedule, bool row_by_row) {
  StreamLoop loop(module, schedule, row_by_row);
  const InstructionId made = loop.built();
  Computation& entry = module.entry_computation();
  entry.replace_uses(schedule.exit, made);
  if (!row_by_row) return;
  const Shape row = entry[loop.entrance()].shape;
  entry.replace_uses(loop.entrance(), schedule.entrance);
  entry[schedule.entrance].shape.dimensions = row.dimensions;
  module.entry_parameters[entry[schedule.entrance].get<hlo::ParameterAttributes>().number] =
      entry[schedule.entrance].shape;
}

InstructionId stream_parameter(const Module& module, int leaf) {
  int first = 0;
  for (InstructionId parameter : module.entry_computation().parameters) {
    const Shape& shape = module.entry_computation()[parameter].shape;
    if (first == leaf) return shape.is_array() ? parameter : kNone;
    first += static_cast<int>(hlo::leaf_count(shape));
  }
  return kNone;
}

void space_windows(Module& module, int64_t every) {
  Computation& entry = module.entry_computation();
  for (const InstructionId parameter : entry.parameters)
    entry[parameter].frontend_attributes[kEvery] = cat(every);
}

int64_t window_spacing(const Module& module) {
  for (const Instruction& i : module.entry_computation().instructions)
    if (const auto found = i.frontend_attributes.find(kEvery); found != i.frontend_attributes.end())
      return to_integer(found->second).value_or(0);
  return 0;
}

std::optional<int64_t> steps_of_stream(const Module& module) {
  for (const Instruction& i : module.entry_computation().instructions)
    if (const auto found = i.frontend_attributes.find(kSteps); found != i.frontend_attributes.end())
      return to_integer(found->second);
  return std::nullopt;
}

}  // namespace hlocc::transforms
