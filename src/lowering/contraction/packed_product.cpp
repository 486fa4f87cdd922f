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
    const int unit = choice.kernel->unit;
    segment_ = costs::segments_fill_units(*choice.kernel, e.target()) ? round_up(p_.length, unit)
                                                                      : p_.length;
    depth_ = round_up(p_.segments * segment_, unit);
    c_.kernels = set;
    c_.accumulator = p_.sum;
    c_.columns_first_out = c_.rows_first = true;
    c_.rows = row_runs();
    c_.columns =
        costs::cut_columns(p_.columns, {choice.tile.rows, choice.tile.vectors, choice.tile.lanes});
    for (ColumnRun& run : c_.columns) {
      run.kernel = choice.kernel;
      run.unit = unit;
    }
    stream_ = *set.emitter(choice.kernel->name)->pack(e, order());
    if (choice.left == LeftForm::kInPlace) return;
    scratch_.emplace(e, choice, choice.tile.rows, depth_);
    stream_.row_terms = scratch_->terms();
  }

  // Steps that no row has lie unwritten in scratch, or hold what another turn left there: they meet
  // weights that are zero.
  void run() {
    c_.stream = &stream_;
    if (scratch_) c_.prepare_rows = [&](const Affine& row, int height) { bring(row, height); };
    c_.accumulate = [&](const Tile& tile, Accumulators sums) {
      Operands operands;
      operands.stream = &stream_;
      operands.a = [&](int r, const Affine& k, int lanes) {
        return Element{scratch_ ? scratch_->steps(Affine::constant(r), k, lanes)
                                : p_.load(tile.row.plus(r), k, lanes)};
      };
      return reduce(e_, tile, depth_, std::move(sums), operands);
    };
    c_.store = [&](const Affine& row, const Affine& column, int lanes, const Element& value) {
      p_.store(row, column, lanes, value.re);
    };
    contract(e_, c_);
  }

 private:
  // Where code is dear, some rows are made twice rather than by a lower tile's code.
  std::vector<RowRun> row_runs() const {
    const bool again = in_place_pairs(e_.group()).empty();
    return e_.target().dear_flash && again ? costs::cut_rows_overlapping(p_.rows, choice_.tile.rows)
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

  void bring(const Affine& first, int height) {
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
  WeightStream stream_;
  std::optional<LeftRows> scratch_;
};

}  // namespace

std::optional<MicroChoice> choose_packed(const Emitter& e, const PackedProduct& p,
                                         std::string_view wanted, const MicroKernelSet& set) {
  const costs::ContractionForm form{
      .left = e.scalar(e.shape(p.left)),
      .right = e.scalar(e.shape(p.right)),
      .sum = p.sum,
      .rows = p.rows,
      .depth = p.segments * p.length,
      .columns = p.columns,
      .left_contiguous = p.left_contiguous,
      .right_known = e.group().is_external(p.right) && e.constant_of(p.right) != nullptr};
  const MicroChoice choice = costs::choose_micro_kernel(form, e.target(), wanted, set.rows);
  if (!choice.kernel->takes_units()) return std::nullopt;
  return choice;
}

void multiply_packed(Emitter& e, const PackedProduct& product, const MicroChoice& choice,
                     const MicroKernelSet& set) {
  e.choice.schedule = cat(e.choice.schedule, ", ", choice.kernel->name);
  PackedLoops(e, product, choice, set).run();
}

}  // namespace hlocc::lowering
