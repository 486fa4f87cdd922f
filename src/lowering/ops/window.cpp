// reduce-window. A window element that lies on padding or in a dilation hole is skipped: the
// initial value counts once a window. Pooling takes several neighbouring results at a time; the
// innermost dimension with a border is cut, so that windows inside are spelled out, and the others
// know their first and last tap before they begin. Running sums (windows over all elements before)
// are computed in one pass.
#include <algorithm>

#include "costs/code.h"
#include "lowering/emitter/loop_ops.h"
#include "lowering/emitter/taps.h"
#include "lowering/ops/reduction.h"
#include "lowering/schedules/pooled_rows.h"
#include "ops/reducer.h"
#include "ops/window_math.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::ValueId;
using kernel::Values;

namespace {

struct WindowReduce : Reduction {
  const hlo::Window& window;
};

class Windows {
 public:
  Windows(const WindowReduce& r, int lanes, const PooledRows* rows = nullptr)
      : r_(r), e_(r.e), lanes_(lanes), rank_(static_cast<int>(r.output().size())), rows_(rows) {
    const Target& target = e_.target();
    const bool simple = r.inputs == 1;
    // Neighbours along the last dimension share nothing, but need one loop and don't wait for each
    // other.
    most_ = !simple || !costs::several_pay(e_.target(), r.input().element_count()) || rank_ == 0 ||
                    !ops::is_trivial(window(rank_ - 1))
                ? 1
                : 4;
    budget_ = costs::most_taps(target);
    for (int d = 0; d < rank_; ++d)
      if (!inside(d) && can_cut(d) && budget_ > 0) cut_ = d;
  }

  void run() {
    Index index;
    index.at.resize(rank_);
    if (rank_ == 0) return tile(index, 1, 1);
    if (rows_ == nullptr) return over(0, index);
    index.at[0] = rows_->batch;
    e_.loop(rows_->low, rows_->high, {}, [&](Affine row, std::span<const ValueId>) {
      index.at[1] = row;
      over(2, index);
      return Values{};
    });
  }

 private:
  const hlo::WindowDimension& window(int d) const { return r_.window.dimensions[d]; }
  int64_t input(int d) const { return r_.input().dimensions[d]; }
  int64_t output(int d) const { return r_.output()[d]; }
  bool counts_up(int d) const { return window(d).base_dilation == 1 && !window(d).window_reversal; }
  // All windows see all their taps.
  bool inside(int d) const {
    return counts_up(d) && ops::windows_inside(window(d), input(d), output(d)) ==
                               std::pair<int64_t, int64_t>(0, output(d));
  }
  bool can_cut(int d) const {
    if (!counts_up(d)) return false;
    const auto [first, last] = ops::windows_inside(window(d), input(d), output(d));
    return last - first > 1;
  }

  // Loops over the results; the last dimension in tiles.
  void over(int d, Index index) {
    const auto run = [&](int64_t low, int64_t high, bool inside) {
      if (d == cut_) inside_cut_ = inside;
      if (d + 1 == rank_) return tiles(index, low, high);
      e_.loop(low, high, 1, {}, [&](Affine at, std::span<const ValueId>) {
        index.at[d] = at;
        over(d + 1, index);
        return Values{};
      });
    };
    if (d != cut_) return run(0, output(d), false);
    const auto [first, last] = ops::windows_inside(window(d), input(d), output(d));
    run(0, first, false);
    run(first, last, true);
    run(last, output(d), false);
  }
  void tiles(Index index, int64_t low, int64_t high) {
    for_each_tile(e_, low, high, lanes_, most_, [&](const Affine& at, int count, int lanes) {
      index.at[rank_ - 1] = at;
      tile(index, count, lanes);
    });
  }

  void tile(const Index& first, int count, int lanes) {
    std::vector<Index> results(count, first), places;
    for (int n = 0; n < count; ++n) {
      if (rank_ > 0) results[n].at[rank_ - 1] = first.at[rank_ - 1].plus(int64_t{n} * lanes);
      results[n].along(rank_ - 1, lanes);
    }
    places = results;
    r_.finish_each(results, nest(0, kNone, choose_spelled(count), results, places,
                                 r_.initial_of_each(count, lanes)));
  }

  bool sees_all(int d) const { return inside(d) || (d == cut_ && inside_cut_); }
  // Which windows are spelled out: as many as there may be taps, from the last dimension on.
  std::vector<bool> choose_spelled(int count) const {
    std::vector<bool> spelled(rank_, false);
    int64_t left = budget_ / count;
    for (int d = rank_; d-- > 0;) {
      spelled[d] = sees_all(d) && window(d).size <= left;
      if (spelled[d]) left /= window(d).size;
    }
    return spelled;
  }
  Affine place(int d, const Affine& at) const {
    return rows_ != nullptr && d == 1 ? rows_->input_row(at) : at;
  }
  Values nest(int d, ValueId valid, const std::vector<bool>& spelled,
              const std::vector<Index>& results, std::vector<Index>& places, Values sums) {
    if (d == rank_) return combine(valid, places, sums);
    const auto& w = window(d);
    const auto at_tap = [&](const Affine& tap, Values carried) {
      for (size_t n = 0; n < places.size(); ++n)
        places[n].at[d] = place(d, results[n]
                                       .at[d]
                                       .times(w.stride)
                                       .plus(tap.times(w.window_dilation))
                                       .plus(-w.padding_low));
      return nest(d + 1, valid, spelled, results, places, std::move(carried));
    };
    if (spelled[d]) {
      for (int64_t tap = 0; tap < w.size; ++tap)
        sums = at_tap(Affine::constant(tap), std::move(sums));
      return sums;
    }
    if (counts_up(d)) {
      const Taps range = sees_all(d) ? Taps{Affine::constant(0), Affine::constant(w.size)}
                                     : taps_on_input(e_, w, input(d), output(d), results[0].at[d]);
      return e_.loop(range.low, range.high, std::move(sums),
                     [&](Affine tap, std::span<const ValueId> v) {
                       return at_tap(tap, {v.begin(), v.end()});
                     });
    }
    // Taps of dilated inputs are tested one by one.
    return e_.loop(0, w.size, 1, std::move(sums), [&](Affine t, std::span<const ValueId> v) {
      const Affine tap = w.window_reversal ? t.times(-1).plus(w.size - 1) : t;
      const Tap at = tap_of(e_, w, input(d), output(d), results[0].at[d], tap);
      for (Index& place : places) place.at[d] = at.position;
      const ValueId both = at.valid == kNone ? valid
                           : valid == kNone  ? at.valid
                                             : e_.b.logical_and(valid, at.valid);
      return nest(d + 1, both, spelled, results, places, {v.begin(), v.end()});
    });
  }
  Values combine(ValueId valid, const std::vector<Index>& places, const Values& sums) {
    if (valid == kNone) return r_.add_each(sums, places);
    return e_.if_else(
        valid, [&] { return r_.add_each(sums, places); }, [&] { return sums; });
  }

  const WindowReduce& r_;
  Emitter& e_;
  const int lanes_, rank_;
  const PooledRows* rows_;  // null: all of them
  int most_ = 1;
  int64_t budget_ = 0;
  // The dimension whose results are cut into those inside and those at the borders, and where the
  // loops are now.
  int cut_ = -1;
  bool inside_cut_ = false;
};

// cumsum and its kin: one dimension has a window over the whole input, padded so that output o sums
// inputs 0 .. o (or o .. end). Returns that dimension, or -1; `reverse` says which end.
int running_dimension(const WindowReduce& r, bool& reverse) {
  int found = -1;
  for (size_t d = 0; d < r.window.dimensions.size(); ++d) {
    const auto& w = r.window.dimensions[d];
    const int64_t n = r.input().dimensions[d];
    if (ops::is_trivial(w)) continue;
    const bool whole =
        w.size == n && w.stride == 1 && w.window_dilation == 1 && w.base_dilation == 1;
    const bool forward = whole && w.padding_low == n - 1 && w.padding_high == 0;
    const bool backward = whole && w.padding_low == 0 && w.padding_high == n - 1;
    if (found >= 0 || !(forward || backward)) return -1;
    found = static_cast<int>(d);
    reverse = backward;
  }
  return found;
}

void running(const WindowReduce& r, int dimension, bool reverse) {
  Emitter& e = r.e;
  hlo::Dimensions others = r.output();
  const int64_t extent = others[dimension];
  others[dimension] = 1;
  e.loop_over(others, [&](const std::vector<Affine>& at) {
    e.loop(0, extent, 1, flatten(r.initial(1)), [&](Affine t, std::span<const ValueId> acc) {
      Index index;
      index.at = at;
      index.at[dimension] = reverse ? t.times(-1).plus(extent - 1) : t;
      // Running from the far end visits elements last to first; the reducer sees (earlier, later)
      // all the same.
      std::vector<Element> sum = reverse ? r.combine(r.load(index), r.unflatten(acc))
                                         : r.combine(r.unflatten(acc), r.load(index));
      r.finish(index, sum);
      return flatten(sum);
    });
  });
}

WindowReduce window_reduce(Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  return {{e, i, static_cast<int>(i.operands.size() / 2), {id}},
          i.get<hlo::WindowAttributes>().window};
}

// Lanes along the last dimension, where neighbours share no window and the reducer is one
// operation.
int choose_lanes(const WindowReduce& r) {
  Emitter& e = r.e;
  const int last = r.input().rank() - 1;
  if (last < 0) return 1;
  const bool monoid = ops::plain_reducer(e.group().module->computations[r.i.called[0]]).has_value();
  bool all =
      ops::is_trivial(r.window.dimensions[last]) && monoid && e.vectorizable(r.i.operands[0], last);
  for (InstructionId root : e.group().roots)
    all = all && (root == r.together[0] || e.vectorizable(root, last));
  return all ? e.preferred_lanes(r.i.shape.dimensions.back()) : 1;
}

void reduce_windows(WindowReduce r, const PooledRows* rows) {
  const int lanes = choose_lanes(r);
  r.ordered = OrderedBits::of(r.e, r.e.group().module->computations[r.i.called[0]], lanes);
  Windows(r, lanes, rows).run();
}

}  // namespace

void pool_rows(Emitter& e, InstructionId id, const PooledRows& rows) {
  reduce_windows(window_reduce(e, id), &rows);
}

void pool_elements(Emitter& e, InstructionId id, const Index& index,
                   const std::vector<Element>& elements) {
  WindowReduce r = window_reduce(e, id);
  r.ordered = OrderedBits::of(e, e.group().module->computations[r.i.called[0]], index.lanes);
  std::vector<Element> value = r.initial(index.lanes);
  for (const Element& x : elements) value = r.combine(std::move(value), {r.encoded(x)});
  r.finish(index, std::move(value));
}

void schedule(hlo::Op<Opcode::kReduceWindow>, Emitter& e, InstructionId id) {
  const WindowReduce r = window_reduce(e, id);
  bool reverse = false;
  const int dimension = running_dimension(r, reverse);
  if (dimension >= 0) return running(r, dimension, reverse);
  reduce_windows(r, nullptr);
}

}  // namespace hlocc::lowering
