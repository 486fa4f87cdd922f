// Row groups: one loop over the rows, a few of them at once where their number allows, inside it
// one loop along them a pass. A pass carries a few vectors of partial results for each of its
// reductions, of different rows or of one row, so that sums don't wait for each other, and narrower
// ones for what is left of a row.
#include <algorithm>
#include <map>

#include "lowering/emitter/loop_ops.h"
#include "lowering/schedules/row_passes.h"
#include "ops/op_cost.h"
#include "ops/reducer.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::ValueId;
using kernel::Values;

namespace {

// A row of the few that are walked at once, and what is known of it in all its elements.
struct RowInWork {
  int number = 0;
  std::vector<Affine> at;
  struct Bound {
    InstructionId id;
    Index index;
    Element value;
  };
  std::vector<Bound> bound;
};

// A run of the last dimension that vectors of one width serve, so many of them an iteration.
struct Run {
  int64_t begin = 0, end = 0;
  int width = 1, vectors = 1;
};

std::vector<Run> cut_row(int64_t extent, int lanes, int vectors) {
  std::vector<Run> runs;
  int64_t begin = 0;
  const auto add = [&](int width, int count) {
    const int64_t step = int64_t{width} * count, end = begin + (extent - begin) / step * step;
    if (end > begin) runs.push_back({begin, end, width, count});
    begin = end;
  };
  add(lanes, vectors);
  for (int width = lanes; width >= 1; width /= 2) add(width, 1);
  // What is less than an iteration of vectors but more than one of them is an iteration of its own.
  for (Run& run : runs)
    if (run.width == lanes && run.begin > 0)
      run.vectors = static_cast<int>((run.end - run.begin) / lanes);
  return runs;
}

class Rows {
 public:
  explicit Rows(Emitter& e) : e_(e), group_(e.group()), plan_(plan_row_passes(e.group())) {}

  void run() {
    lanes_ = lanes();
    rows_ = rows_at_once();
    for (const RowPasses::Pass& pass : plan_.passes)
      for (InstructionId id : pass.kept)
        if (id != plan_.kept_in_root)
          places_[id] = e_.scratch("row", e_.scalar(e_.shape(id)), kept_shape(id).element_count());
    // The rows of an iteration stand side by side in the last dimension that is not reduced.
    hlo::Dimensions outer = plan_.outer_dimensions();
    const int64_t last = outer.empty() ? 1 : outer.back();
    if (!outer.empty()) outer.pop_back();
    e_.loop_over(outer, [&](const std::vector<Affine>& at) {
      e_.loop(
          last,
          [&](Affine counter) {
            std::vector<RowInWork> rows(rows_);
            for (int r = 0; r < rows_; ++r) {
              rows[r] = {r, at, {}};
              if (plan_.outer > 0) rows[r].at.push_back(counter.plus(r));
            }
            run_rows(rows);
          },
          rows_);
    });
  }

 private:
  int lanes() const {
    const int last = plan_.rank() - 1;
    for (const RowPasses::Pass& pass : plan_.passes)
      for (InstructionId id : pass.needs)
        if (e_.shape(id).dimensions == plan_.whole && !e_.vectorizable(id, last)) return 1;
    return e_.preferred_lanes(plan_.whole.back());
  }
  int rows_at_once() const {
    if (lanes_ == 1 || e_.target().options.for_size() || plan_.outer == 0) return 1;
    const int64_t last = plan_.whole[plan_.outer - 1];
    return last % 4 == 0 ? 4 : last % 2 == 0 ? 2 : 1;
  }
  // Several sums at once hide the latency of additions; what is long by itself needs fewer.
  int vectors_of(const RowPasses::Pass& pass) const {
    if (lanes_ == 1 || e_.target().options.for_size()) return 1;
    bool costly = false;
    for (InstructionId id : pass.needs)
      costly |= !group_.is_external(id) && e_.shape(id).dimensions == plan_.whole &&
                ops::is_expensive(e_.instruction(id));
    return std::max(1, (costly ? 2 : 4) / rows_);
  }

  void run_rows(std::vector<RowInWork>& rows) {
    available_.clear();
    for (RowInWork& row : rows) bind_spread(0, row);
    for (size_t p = 0; p < plan_.passes.size(); ++p) {
      const RowPasses::Pass& pass = plan_.passes[p];
      run_pass(pass, rows);
      for (RowInWork& row : rows) bind_spread(p + 1, row);
      available_.insert(pass.kept.begin(), pass.kept.end());
    }
    for (RowInWork& row : rows) {
      if (plan_.root_is_whole) break;
      Index index;
      index.at = row.at;
      enter(row);
      e_.store_root(0, index);
    }
    for (const RowInWork::Bound& bound : rows[0].bound) e_.unbind(bound.id);
  }

  // What is asked for from here on belongs to this row.
  void enter(const RowInWork& row) {
    for (const auto& [id, index, value] : row.bound) e_.bind(id, index, value);
  }

  // Computes what the passes from `level` on ask for in every vector of the row.
  void bind_spread(size_t level, RowInWork& row) {
    enter(row);
    std::vector<RowInWork::Bound> values;
    for (InstructionId id : plan_.spread[level]) {
      const Instruction& i = e_.instruction(id);
      Index index;
      for (int64_t d : i.get<hlo::DimensionsAttributes>().dimensions) index.at.push_back(row.at[d]);
      values.push_back({i.operands[0], index, e_.operand(i, 0, index)});
    }
    row.bound.insert(row.bound.end(), values.begin(), values.end());
  }

  // Where a row's partial results of a reduction in vectors of a width begin among those that a
  // pass carries.
  using Slots = std::map<std::tuple<int, InstructionId, int>, size_t>;

  kernel::Type type_of(InstructionId reduction, int width) const {
    return e_.type(e_.shape(reduction), width);
  }
  hlo::Opcode monoid(InstructionId reduction) const {
    return *ops::plain_reducer(group_.module->computations[e_.instruction(reduction).called[0]]);
  }
  ValueId combine(InstructionId reduction, ValueId a, ValueId b) {
    return e_.call(e_.instruction(reduction).called[0], {{a}, {b}})[0].re;
  }

  // One walk along the rows; the results of the pass's reductions are bound in each.
  void run_pass(const RowPasses::Pass& pass, std::vector<RowInWork>& rows) {
    const std::vector<Run> runs = cut_row(plan_.whole.back(), lanes_, vectors_of(pass));
    // Partial results: for each row, reduction and width as many vectors as the widest iteration
    // has.
    std::map<int, int> vectors;
    for (const Run& run : runs) vectors[run.width] = std::max(vectors[run.width], run.vectors);
    Values first;
    Slots slots;
    for (const RowInWork& row : rows)
      for (InstructionId id : pass.reductions)
        for (const auto& [width, count] : vectors) {
          slots[{row.number, id, width}] = first.size();
          const auto identity = *ops::identity_of(monoid(id), e_.shape(id).element_type);
          for (int v = 0; v < count; ++v) first.push_back(e_.constant(identity, 0, width).re);
        }
    hlo::Dimensions middle = plan_.row_dimensions();
    middle.pop_back();
    std::vector<Affine> place;
    const Values sums = walk(middle, place, first, [&](Values partial) {
      for (const Run& run : runs)
        partial = e_.loop(run.begin, run.end, int64_t{run.width} * run.vectors, partial,
                          [&](Affine counter, std::span<const ValueId> in) {
                            Values values(in.begin(), in.end());
                            run_vectors(pass, rows, place, counter, run, slots, values);
                            return values;
                          });
      return partial;
    });
    for (RowInWork& row : rows) {
      Index index;
      index.at = row.at;
      for (InstructionId id : pass.reductions)
        row.bound.push_back({id, index, total(row, id, vectors, slots, sums)});
    }
  }

  // Loops over the dimensions of the row but the last.
  Values walk(const hlo::Dimensions& middle, std::vector<Affine>& place, Values carried,
              const std::function<Values(Values)>& body) {
    if (place.size() == middle.size()) return body(std::move(carried));
    return e_.loop(0, middle[place.size()], 1, std::move(carried),
                   [&](Affine counter, std::span<const ValueId> in) {
                     place.push_back(counter);
                     Values out = walk(middle, place, {in.begin(), in.end()}, body);
                     place.pop_back();
                     return out;
                   });
  }

  // All that is read comes before all that is written.
  void run_vectors(const RowPasses::Pass& pass, const std::vector<RowInWork>& rows,
                   const std::vector<Affine>& place, const Affine& counter, const Run& run,
                   const Slots& slots, Values& partial) {
    struct Written {
      int row;
      InstructionId id;
      Index index;
      Element value;
    };
    std::vector<Written> written;
    for (const RowInWork& row : rows) {
      enter(row);
      for (int v = 0; v < run.vectors; ++v) {
        Index index;
        index.at = row.at;
        index.at.insert(index.at.end(), place.begin(), place.end());
        index.at.push_back(counter.plus(int64_t{v} * run.width));
        index.along(plan_.rank() - 1, run.width);
        read_kept(row.number, index);
        for (InstructionId id : pass.reductions) {
          ValueId& sum = partial[slots.at({row.number, id, run.width}) + v];
          const Element next = e_.operand(e_.instruction(id), 0, index);
          sum = combine(id, sum, e_.splat(next, run.width).re);
        }
        for (InstructionId id : pass.kept)
          written.push_back({row.number, id, index, e_.splat(e_.element(id, index), run.width)});
        if (pass.writes_root)
          written.push_back(
              {row.number, group_.roots[0], index, e_.element(group_.roots[0], index)});
      }
    }
    for (InstructionId id : available_) e_.unbind(id);
    for (const Written& w : written) write(w.row, w.id, w.index, w.value);
  }

  // The places of a kept value: one row for each of those at once.
  hlo::Shape kept_shape(InstructionId id) const {
    hlo::Dimensions dimensions = plan_.row_dimensions();
    dimensions.insert(dimensions.begin(), rows_);
    return hlo::Shape::array(e_.shape(id).element_type, dimensions);
  }
  // Where a kept value, or the root, stands.
  std::pair<hlo::Shape, Index> place_of(int row, InstructionId id, const Index& index) const {
    if (!places_.count(id)) return {e_.shape(group_.roots[0]), index};
    Index in_row = index;
    in_row.at.erase(in_row.at.begin(), in_row.at.begin() + plan_.outer);
    in_row.at.insert(in_row.at.begin(), Affine::constant(row));
    if (in_row.lane_dim != kernel::kNone) in_row.lane_dim = in_row.lane_dim - plan_.outer + 1;
    return {kept_shape(id), in_row};
  }
  kernel::BufferId buffer_of(InstructionId id) const {
    const auto scratch = places_.find(id);
    return scratch == places_.end() ? e_.output_buffer(0) : scratch->second;
  }
  void write(int row, InstructionId id, const Index& index, Element value) {
    const auto [shape, at] = place_of(row, id, index);
    e_.store(buffer_of(id), shape, at, value);
  }
  void read_kept(int row, const Index& index) {
    for (InstructionId id : available_) {
      const auto [shape, at] = place_of(row, id, index);
      e_.bind(id, index, e_.load(buffer_of(id), shape, at));
    }
  }

  Element total(const RowInWork& row, InstructionId id, const std::map<int, int>& vectors,
                const Slots& slots, const Values& sums) {
    ValueId all = e_.operand(e_.instruction(id), 1, Index::scalar()).re;
    for (auto width = vectors.rbegin(); width != vectors.rend(); ++width) {
      const size_t begin = slots.at({row.number, id, width->first});
      std::vector<ValueId> parts(sums.begin() + static_cast<std::ptrdiff_t>(begin),
                                 sums.begin() + static_cast<std::ptrdiff_t>(begin) + width->second);
      for (; parts.size() > 1; parts.resize((parts.size() + 1) / 2))
        for (size_t n = 0; n < parts.size() / 2; ++n)
          parts[n] = combine(id, parts[n], parts[parts.size() - 1 - n]);
      const ValueId across =
          e_.b.reduce(*across_lanes(monoid(id), type_of(id, 1).scalar), parts[0]);
      all = combine(id, all, across);
    }
    return {all};
  }

  Emitter& e_;
  const Group& group_;
  const RowPasses plan_;
  int lanes_ = 1, rows_ = 1;
  std::map<InstructionId, kernel::BufferId> places_;
  // Kept values that earlier passes have written.
  std::set<InstructionId> available_;
};

}  // namespace

void schedule_rows(Emitter& e) { Rows(e).run(); }

}  // namespace hlocc::lowering
