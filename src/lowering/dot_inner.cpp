// dot of rows with rows: both sides are contiguous along the contracted dimension, along which lanes run. A tile of rows and
// columns has a vector of partial sums for each result; what a row or column reads serves all of them. At the end the vectors
// of a row are added up together, in as many steps as one of them would take, into a vector of neighbouring results.
#include "lowering/dot.h"
#include "lowering/inner_tiles.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

class InnerProduct {
 public:
  InnerProduct(const Dot& dot, int lanes)
      : dot_(dot), e_(dot.e), l_(dot.e.shape(dot.i.operands[0])), r_(dot.e.shape(dot.i.operands[1])), lanes_(lanes) {}

  void run() {
    hlo::Dimensions l_free = pick(l_, dot_.lhs.free), r_free = pick(r_, dot_.rhs.free);
    const int64_t rows = take_last(l_free), columns = take_last(r_free);
    const InnerTile tile = choose_inner_tile(e_.target(), rows, columns, lanes_);
    e_.loop_over(pick(l_, dot_.lhs.batch), [&](const std::vector<Affine>& batch) {
      e_.loop_over(l_free, [&](const std::vector<Affine>& l_outer) {
        e_.loop_over(r_free, [&](const std::vector<Affine>& r_outer) {
          batch_ = batch, l_outer_ = l_outer, r_outer_ = r_outer;
          for_runs(columns, tile.columns, [&](const Affine& column, int width) {
            for_runs(rows, tile.rows, [&](const Affine& row, int height) { run_tile(row, column, {height, width}); });
          });
        });
      });
    });
  }

 private:
  static int64_t take_last(hlo::Dimensions& dimensions) {
    if (dimensions.empty()) return 1;
    const int64_t last = dimensions.back();
    dimensions.pop_back();
    return last;
  }
  // Loops in steps of `step`, and of its halves for what is left.
  void for_runs(int64_t count, int step, const std::function<void(const Affine&, int)>& body) {
    int64_t begin = 0;
    for (; step >= 1; step /= 2) {
      const int64_t end = begin + (count - begin) / step * step;
      e_.loop(begin, end, step, {}, [&](Affine at, std::span<const ValueId>) {
        body(at, step);
        return Values{};
      });
      begin = end;
    }
  }

  Index left_at(const Affine& row, const Affine& k) const {
    std::vector<Affine> free = l_outer_;
    if (!dot_.lhs.free.empty()) free.push_back(row);
    return dot_.index_of(dot_.lhs, l_.rank(), batch_, free, {k});
  }
  Index right_at(const Affine& column, const Affine& k) const {
    std::vector<Affine> free = r_outer_;
    if (!dot_.rhs.free.empty()) free.push_back(column);
    return dot_.index_of(dot_.rhs, r_.rank(), batch_, free, {k});
  }
  Index along(Index index, int dimension, int lanes) const {
    index.lanes = lanes;
    if (lanes > 1) index.lane_dim = dimension;
    return index;
  }

  // sums + left * right at lanes_ elements from k.
  Values multiply(const Affine& row, const Affine& column, InnerTile tile, const Affine& k, Values sums) {
    Values right;
    for (int c = 0; c < tile.columns; ++c) right.push_back(dot_.operand(1, along(right_at(column.plus(c), k), r_.rank() - 1, lanes_)).re);
    for (int r = 0; r < tile.rows; ++r) {
      const ValueId left = dot_.operand(0, along(left_at(row.plus(r), k), l_.rank() - 1, lanes_)).re;
      for (int c = 0; c < tile.columns; ++c) {
        ValueId& sum = sums[r * tile.columns + c];
        sum = multiply_accumulate(e_, sum, left, right[c]);
      }
    }
    return sums;
  }

  void run_tile(const Affine& row, const Affine& column, InnerTile tile) {
    const int64_t count = l_.dimensions.back(), whole = count / lanes_ * lanes_;
    const Type type{dot_.sum, static_cast<uint16_t>(lanes_)};
    Values sums(tile.rows * tile.columns, e_.b.zero(type));
    // Two vectors a turn: half as many turns, and a line of a usual cache is read at once.
    const int64_t pairs = e_.target().options.for_size() ? 0 : whole / (2 * lanes_) * (2 * lanes_);
    sums = e_.loop(0, pairs, int64_t{2} * lanes_, sums, [&](Affine k, std::span<const ValueId> in) {
      return multiply(row, column, tile, k.plus(lanes_), multiply(row, column, tile, k, {in.begin(), in.end()}));
    });
    sums = e_.loop(pairs, whole, lanes_, sums,
                   [&](Affine k, std::span<const ValueId> in) { return multiply(row, column, tile, k, {in.begin(), in.end()}); });
    Values results;
    for (int r = 0; r < tile.rows; ++r) {
      const auto first = sums.begin() + r * tile.columns;
      results.push_back(add_up(e_, {first, first + tile.columns}));
    }
    // What is left of the contracted dimension, for all columns at once.
    results = e_.loop(whole, count, 1, results, [&](Affine k, std::span<const ValueId> in) {
      Values out(in.begin(), in.end());
      const int free = dot_.rhs.free.empty() ? kernel::kNone : static_cast<int>(dot_.rhs.free.back());
      const ValueId right = dot_.operand(1, along(right_at(column, k), free, tile.columns)).re;
      for (int r = 0; r < tile.rows; ++r) {
        const ValueId left = dot_.operand(0, left_at(row.plus(r), k)).re;
        out[r] = multiply_accumulate(e_, out[r], e_.b.splat(left, tile.columns), right);
      }
      return out;
    });
    for (int r = 0; r < tile.rows; ++r) {
      Index index;
      index.at = batch_;
      index.at.insert(index.at.end(), l_outer_.begin(), l_outer_.end());
      if (!dot_.lhs.free.empty()) index.at.push_back(row.plus(r));
      index.at.insert(index.at.end(), r_outer_.begin(), r_outer_.end());
      if (!dot_.rhs.free.empty()) index.at.push_back(column);
      dot_.finish(along(index, dot_.i.shape.rank() - 1, tile.columns), {results[r]});
    }
  }

  const Dot& dot_;
  Emitter& e_;
  const hlo::Shape &l_, &r_;
  const int lanes_;
  std::vector<Affine> batch_, l_outer_, r_outer_;
};

}  // namespace

void inner_product(const Dot& dot, int lanes) { InnerProduct(dot, lanes).run(); }

}  // namespace hlocc::lowering
