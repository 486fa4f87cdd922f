// See shared_contraction.h.
#include "lowering/contraction/shared_contraction.h"

#include "lowering/contraction/tile.h"
#include "support/check.h"
#include "support/rounding.h"

namespace hlocc::lowering {

using kernel::Mapping;
using kernel::ValueId;
using kernel::Values;

namespace {

// Steps of the reduction that an iteration of the loop over a block takes.
constexpr int64_t kUnrolled = 4;

// One side of the block in shared memory, [depth, width]: threads read neighbours of one step.
struct SharedSide {
  kernel::BufferId buffer = kernel::kNone;
  int64_t width = 0;      // rows or columns of the block
  int64_t end = 0;        // of the whole
  bool by_steps = false;  // neighbouring threads bring neighbouring steps
  const SharedContraction::Side* load = nullptr;
};

class SharedEmitter {
 public:
  SharedEmitter(Emitter& e, const SharedContraction& c)
      : e_(e),
        c_(c),
        left_(side("left_tile", c.tile.rows, c.size.rows, !c.left_by_rows, c.left)),
        right_(side("right_tile", c.tile.columns, c.size.columns, !c.right_by_columns, c.right)) {}

  void run() {
    const costs::SharedTile& t = c_.tile;
    const auto threads = [&] {
      each(Mapping::kGroup, t.row_threads(), 1, y_,
           [&] { each(Mapping::kGroup, t.column_threads(), 1, x_, [&] { thread(); }); });
    };
    each(Mapping::kGrid, c_.size.batches, 1, batch_, [&] {
      each(Mapping::kGrid, c_.size.rows, t.rows, row_,
           [&] { each(Mapping::kGrid, c_.size.columns, t.columns, column_, threads); });
    });
  }

 private:
  void each(Mapping mapping, int64_t count, int64_t step, Affine& counter,
            const std::function<void()>& body) {
    e_.loop(
        count,
        [&](const Affine& at) {
          counter = at;
          body();
        },
        step, mapping);
  }

  SharedSide side(const char* name, int64_t width, int64_t end, bool by_steps,
                  const SharedContraction::Side& load) {
    const kernel::BufferId buffer = e_.b.buffer({.name = name,
                                                 .element = c_.size.sum,
                                                 .elements = width * c_.tile.depth,
                                                 .direction = kernel::Direction::kScratch,
                                                 .space = kernel::Space::kShared});
    return {buffer, width, end, by_steps, &load};
  }

  void thread() {
    const costs::SharedTile& t = c_.tile;
    e_.tile_emitted({static_cast<int>(t.rows), static_cast<int>(t.columns), 1});
    const ValueId zero = e_.b.zero({c_.size.sum, 1});
    const Values sums = e_.loop(0, c_.size.depth, t.depth,
                                Values(static_cast<size_t>(t.thread_rows * t.thread_columns), zero),
                                [&](const Affine& step, std::span<const ValueId> carried) {
                                  // What was brought before is still read.
                                  e_.b.barrier();
                                  bring(left_, row_, step);
                                  bring(right_, column_, step);
                                  e_.b.barrier();
                                  return add_up({carried.begin(), carried.end()});
                                });
    for (int64_t i = 0; i < t.thread_rows; ++i)
      for (int64_t j = 0; j < t.thread_columns; ++j)
        store(row_of(i), column_of(j), sums[static_cast<size_t>(i * t.thread_columns + j)]);
  }

  // Of the block: neighbouring threads have neighbouring columns.
  Affine within_rows(int64_t i) const { return y_.plus(i * c_.tile.row_threads()); }
  Affine within_columns(int64_t j) const { return x_.plus(j * c_.tile.column_threads()); }
  Affine row_of(int64_t i) const { return row_.plus(within_rows(i)); }
  Affine column_of(int64_t j) const { return column_.plus(within_columns(j)); }

  // Each thread brings every so-manieth element.
  void bring(const SharedSide& side, const Affine& first, const Affine& step) {
    const int64_t threads = c_.tile.threads(), elements = side.width * c_.tile.depth;
    const Affine number = y_.times(c_.tile.column_threads()).plus(x_);
    for (int64_t done = 0; done < elements; done += threads) {
      const Affine at = number.plus(done);
      const auto put = [&] {
        const auto [slow, fast] = e_.divmod(at, side.by_steps ? c_.tile.depth : side.width);
        const Affine& within = side.by_steps ? slow : fast;
        const Affine& of_depth = side.by_steps ? fast : slow;
        const Affine place = first.plus(within), k = step.plus(of_depth);
        e_.b.store(side.buffer, of_depth.times(side.width).plus(within), loaded(side, place, k));
      };
      if (done + threads <= elements)
        put();
      else
        guarded(below(at, elements), put);
    }
  }

  ValueId loaded(const SharedSide& side, const Affine& place, const Affine& k) {
    ValueId inside = kernel::kNone;
    if (side.end % side.width != 0) inside = below(place, side.end);
    if (c_.size.depth % c_.tile.depth != 0) inside = both(inside, below(k, c_.size.depth));
    if (inside == kernel::kNone) return (*side.load)(batch_, place, k);
    return e_.if_else(
        inside, [&] { return Values{(*side.load)(batch_, place, k)}; },
        [&] {
          return Values{e_.b.zero({c_.size.sum, 1})};
        })[0];
  }

  Values add_up(Values sums) {
    HLOCC_CHECK(c_.tile.depth % kUnrolled == 0, "a block that ends within an iteration");
    return e_.loop(0, c_.tile.depth, kUnrolled, std::move(sums),
                   [&](const Affine& step, std::span<const ValueId> carried) {
                     Values sums(carried.begin(), carried.end());
                     for (int64_t k = 0; k < kUnrolled; ++k) add_step(step.plus(k), sums);
                     return sums;
                   });
  }

  void add_step(const Affine& step, Values& sums) {
    const costs::SharedTile& t = c_.tile;
    Values left, right;
    for (int64_t i = 0; i < t.thread_rows; ++i)
      left.push_back(e_.b.load(left_.buffer, step.times(t.rows).plus(within_rows(i))));
    for (int64_t j = 0; j < t.thread_columns; ++j)
      right.push_back(e_.b.load(right_.buffer, step.times(t.columns).plus(within_columns(j))));
    for (size_t i = 0; i < left.size(); ++i)
      for (size_t j = 0; j < right.size(); ++j) {
        ValueId& sum = sums[i * right.size() + j];
        sum = multiply_accumulate(e_, sum, left[i], right[j]);
      }
  }

  void store(const Affine& row, const Affine& column, ValueId value) {
    ValueId inside = kernel::kNone;
    if (c_.size.rows % c_.tile.rows != 0) inside = below(row, c_.size.rows);
    if (c_.size.columns % c_.tile.columns != 0)
      inside = both(inside, below(column, c_.size.columns));
    guarded(inside, [&] { c_.store(batch_, row, column, value); });
  }

  ValueId below(const Affine& at, int64_t end) {
    return e_.b.compare(kernel::Predicate::kLt, e_.b.value_of(at), e_.b.index(end));
  }
  ValueId both(ValueId a, ValueId b) { return a == kernel::kNone ? b : e_.b.logical_and(a, b); }
  void guarded(ValueId condition, const std::function<void()>& body) {
    if (condition == kernel::kNone) return body();
    e_.if_else(
        condition, [&] { return body(), Values{}; }, [] { return Values{}; });
  }

  Emitter& e_;
  const SharedContraction& c_;
  SharedSide left_, right_;
  Affine batch_, row_, column_, y_, x_;
};

}  // namespace

void contract_shared(Emitter& e, const SharedContraction& c) { SharedEmitter(e, c).run(); }

std::vector<Affine> unflattened(Emitter& e, const hlo::Dimensions& sizes, Affine position) {
  std::vector<Affine> at(sizes.size());
  for (size_t d = sizes.size(); d-- > 1;) {
    const auto [rest, own] = e.divmod(position, sizes[d]);
    at[d] = own;
    position = rest;
  }
  if (!sizes.empty()) at[0] = position;
  return at;
}

}  // namespace hlocc::lowering
