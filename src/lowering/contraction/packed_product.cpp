// See packed_product.h. Rows are the outer loop: a tile's rows are brought to scratch once and meet
// all weights there.
#include "lowering/contraction/packed_product.h"

#include <algorithm>

#include "lowering/program/in_place.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::lowering {

using costs::LeftForm;
using costs::MicroChoice;
using kernel::ValueId;
using kernel::Values;

namespace {

// One product by one micro-kernel: its weights, its scratch and what the loops of contraction.h
// ask.
class PackedLoops {
 public:
  PackedLoops(Emitter& e, const PackedProduct& product, const MicroChoice& choice,
              const MicroKernelSet& set)
      : e_(e), p_(product), choice_(choice) {
    const int k_step = choice.kernel->k_step;
    segment_ = costs::segments_fill_k_steps(*choice.kernel, e.target()) || p_.block.rows > 0
                   ? round_up(p_.length, k_step)
                   : p_.length;
    depth_ = round_up(p_.segments * segment_, k_step);
    c_.kernels = set;
    c_.accumulator = p_.sum;
    c_.columns_first_out = true;
    c_.levels = {{.rows = choice.tile.rows}};
    c_.rows = row_runs();
    c_.columns =
        costs::cut_columns(p_.columns, {choice.tile.rows, choice.tile.vectors, choice.tile.lanes});
    for (ColumnRun& run : c_.columns) {
      run.kernel = choice.kernel;
      run.k_step = k_step;
    }
    stream_ = *set.emitter(*choice.kernel).pack(e, order());
    if (choice.left == LeftForm::kInPlace) return;
    if (p_.block.rows > 0)
      scratch_.emplace(e, choice, 1, p_.block.steps);
    else if (p_.pitch > 0)
      scratch_.emplace(e, choice, 1, p_.segments * p_.pitch, p_.in_pairs);
    else
      scratch_.emplace(e, choice, choice.tile.rows, depth_);
    stream_.row_terms = scratch_->terms();
  }

  // Steps that no row has lie unwritten in scratch, or hold what another iteration left there: they
  // meet weights that are zero.
  void run() {
    c_.stream = &stream_;
    c_.accumulate = [&](const Tile& tile, Accumulators sums) {
      return overlap() ? reduce_segments(tile, std::move(sums))
                       : reduce_rows(tile, std::move(sums));
    };
    c_.store = [&](const Affine& row, const Affine& column, int lanes, const Element& value) {
      p_.store(first_.plus(row), column, lanes, value.re);
    };
    if (p_.block.rows > 0) return run_blocks();
    if (scratch_) c_.prepare_rows = [&](const Affine& row, int height) { bring(row, height); };
    contract(e_, c_);
  }

 private:
  bool overlap() const { return p_.block.rows > 0 || p_.pitch > 0; }

  void run_blocks() {
    constexpr bool kKept = false, kOwnScratch = true;
    e_.loop(
        0, p_.rows / p_.block.rows, 1, {},
        [&](Affine number, std::span<const ValueId>) {
          first_ = number.times(p_.block.rows);
          p_.block.bring(*scratch_, first_);
          contract(e_, c_);
          return Values{};
        },
        kKept, kOwnScratch);
  }

  // Where flash is constrained, some rows are made twice rather than by a lower tile's code.
  std::vector<RowRun> row_runs() const {
    if (p_.block.rows > 0) return costs::cut_rows(p_.block.rows, choice_.tile.rows);
    const bool again = in_place_pairs(e_.group()).empty();
    return e_.target().flash_constrained && again
               ? costs::cut_rows_overlapping(p_.rows, choice_.tile.rows)
               : costs::cut_rows(p_.rows, choice_.tile.rows);
  }

  WeightOrder order() const {
    WeightOrder order{.right = p_.right,
                      .columns = p_.columns,
                      .runs = c_.columns,
                      .steps = std::vector<int64_t>(depth_, -1),
                      .choice = &choice_,
                      .bias = p_.bias};
    for (int64_t s = 0; s < p_.segments; ++s)
      for (int64_t k = 0; k < p_.length; ++k) order.steps[s * segment_ + k] = s * p_.length + k;
    return order;
  }

  Accumulators reduce_rows(const Tile& tile, Accumulators sums) {
    Operands operands;
    operands.stream = &stream_;
    operands.a = [&](int r, const Affine& k, int lanes) {
      return Element{scratch_ ? scratch_->steps(Affine::constant(r), k, lanes)
                              : p_.load(tile.row.plus(r), k, lanes)};
    };
    operands.halves = [&](int r, const Affine& k, int half, int count) {
      return Values{scratch_->halves(r, k, half, count)};
    };
    operands.k_step = [&](int r, const Affine& k) { return scratch_->k_step(r, k); };
    return reduce(e_, tile, depth_, std::move(sums), operands);
  }

  Accumulators reduce_segments(const Tile& tile, Accumulators sums) {
    const auto segment = [&](const Affine& number, Accumulators begun) {
      Operands operands;
      operands.stream = &stream_;
      operands.from = number.times(segment_);
      const Affine begin =
          p_.block.rows > 0 ? p_.block.place(tile.row, number) : number.times(p_.pitch);
      const auto place = [&, behind = begin.plus(number.times(-segment_))](int r, const Affine& k) {
        return behind.plus(k).plus(r * p_.distance);
      };
      operands.a = [&](int r, const Affine& k, int lanes) {
        return Element{scratch_->steps(Affine{}, place(r, k), lanes)};
      };
      operands.rows_apart = !p_.in_pairs;
      operands.halves = [&](int r, const Affine& k, int half, int count) {
        if (p_.in_pairs) return Values{scratch_->halves(0, place(r, k), half, count)};
        Values rows;
        for (int n = 0; n < count; ++n)
          rows.push_back(scratch_->halves(0, place(r + n, k), half, 1));
        return rows;
      };
      operands.k_step = [&](int r, const Affine& k) { return scratch_->k_step(0, place(r, k)); };
      return reduce(e_, tile, segment_, std::move(begun), operands);
    };
    const int64_t k_steps = p_.segments * segment_ / tile.k_step;
    if (costs::spells_out_segments(e_.target(), k_steps)) {
      for (int64_t number = 0; number < p_.segments; ++number)
        sums = segment(Affine::constant(number), std::move(sums));
      return sums;
    }
    const bool apart = costs::begins_apart(e_.target(), k_steps);
    if (apart) sums = segment(Affine{}, std::move(sums));
    return e_.loop(apart ? 1 : 0, p_.segments, 1, std::move(sums),
                   [&](Affine number, std::span<const ValueId> in) {
                     return segment(number, {in.begin(), in.end()});
                   });
  }

  void bring(const Affine& first, int height) {
    if (p_.pitch > 0) return p_.bring(*scratch_, Affine{}, first, p_.pitch);
    if (p_.left_contiguous && choice_.left == LeftForm::kInterleaved)
      return scratch_->copy_rows(height, p_.length, [&](int row, const Affine& k, int lanes) {
        return p_.load(first.plus(row), k, lanes);
      });
    e_.loop(height, [&](Affine slot) {
      const Affine row = first.plus(slot);
      if (p_.bring)
        p_.bring(*scratch_, slot, row, segment_);
      else
        scratch_->copy(slot, Affine{}, 0, p_.length, p_.left_contiguous,
                       [&](const Affine& k, int lanes) { return p_.load(row, k, lanes); });
      if (stream_.row_terms != kernel::kNone) scratch_->add_up(slot);
    });
  }

  Emitter& e_;
  const PackedProduct& p_;
  const MicroChoice& choice_;
  Contraction c_;
  int64_t segment_ = 0, depth_ = 0;
  Affine first_;  // row of the block
  WeightStream stream_;
  std::optional<LeftRows> scratch_;
};

}  // namespace

void multiply_packed(Emitter& e, const PackedProduct& product, const MicroChoice& choice,
                     const MicroKernelSet& set) {
  e.choice.micro_kernel = choice.kernel->id;
  PackedLoops(e, product, choice, set).run();
}

}  // namespace hlocc::lowering
