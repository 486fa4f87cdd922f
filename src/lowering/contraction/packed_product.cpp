// See packed_product.h. Rows are the outer loop: a tile's rows are brought to scratch once and meet
// all weights there.
#include "lowering/contraction/packed_product.h"

#include <algorithm>
#include <bit>

#include "lowering/program/in_place.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::lowering {

using costs::LeftForm;
using costs::MicroChoice;
using kernel::ValueId;
using kernel::Values;

namespace {

// One product by one micro-kernel.
class PackedLoops {
 public:
  PackedLoops(Emitter& e, const PackedProduct& product, const MicroChoice& choice,
              const MicroKernelEmitter& emit)
      : e_(e), p_(product), choice_(choice), emit_(emit) {
    const int unit = choice.kernel->unit;
    segment_ = costs::segments_fill_units(*choice.kernel, e.target()) ? round_up(p_.length, unit)
                                                                      : p_.length;
    depth_ = round_up(p_.segments * segment_, unit);
    columns_ =
        costs::cut_columns(p_.columns, {choice.tile.rows, choice.tile.vectors, choice.tile.lanes});
    stream_ = emit_.pack(e, choice, order());
    if (choice.left == LeftForm::kInPlace) return;
    scratch_.emplace(e, choice, choice.tile.rows, depth_);
    stream_.row_terms = scratch_->terms();
  }

  // Steps that no row has lie unwritten in scratch, or hold what another turn left there: they meet
  // weights that are zero.
  void run() {
    constexpr bool kKept = false, kOwnScratch = true;
    for (const RowRun& run : row_runs())
      e_.loop(
          run.begin, run.end, run.height, {},
          [&](Affine row, std::span<const ValueId>) {
            rows_from(run, row);
            return Values{};
          },
          kKept, kOwnScratch);
  }

 private:
  // Where code is dear, some rows are made twice rather than by a lower tile's code.
  std::vector<RowRun> row_runs() const {
    const bool again = in_place_pairs(e_.group()).empty();
    return e_.target().dear_flash && again ? costs::cut_rows_overlapping(p_.rows, choice_.tile.rows)
                                           : costs::cut_rows(p_.rows, choice_.tile.rows);
  }

  WeightOrder order() const {
    WeightOrder order{.right = p_.right, .bias = p_.bias, .columns = p_.columns, .runs = columns_};
    order.steps.assign(depth_, -1);
    for (int64_t s = 0; s < p_.segments; ++s)
      for (int64_t k = 0; k < p_.length; ++k) order.steps[s * segment_ + k] = s * p_.length + k;
    return order;
  }

  void rows_from(const RowRun& run, Affine row) {
    if (run.overlapping)
      row = Affine::of(e_.b.min(e_.b.value_of(row), e_.b.index(run.end - run.height)));
    if (scratch_) bring(row, run.height);
    for (const ColumnRun& columns : columns_)
      e_.loop(columns.begin, columns.end, columns.step(), {},
              [&](Affine column, std::span<const ValueId>) {
                run_tile({run.height, columns.vectors, columns.lanes, row, column});
                return Values{};
              });
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

  void run_tile(const MicroTile& tile) {
    const LeftUnit left = [&](int r, const Affine& k, int lanes) {
      return scratch_ ? scratch_->steps(Affine::constant(r), k, lanes)
                      : p_.load(tile.row.plus(r), k, lanes);
    };
    const int64_t unit = stream_.unit, units = depth_ / unit,
                  turn = costs::units_an_iteration(*choice_.kernel, e_.target(), units),
                  whole = units / turn * turn;
    const auto steps = [&](const Affine& k, int64_t count, Accumulators sums) {
      for (int64_t n = 0; n < count; ++n)
        sums = emit_.step(e_, tile, stream_, std::move(sums), left, k.plus(n * unit));
      return sums;
    };
    Accumulators sums = emit_.start(e_, tile, stream_);
    // Counted in units, so that the places of a unit are known to be multiples of it.
    sums = e_.loop(0, whole, turn, std::move(sums), [&](Affine n, std::span<const ValueId> in) {
      return steps(n.times(unit), turn, {in.begin(), in.end()});
    });
    sums = steps(Affine::constant(whole * unit), units - whole, std::move(sums));
    finish(tile, sums);
  }

  // Column by column: what belongs to one serves all rows.
  void finish(const MicroTile& tile, const Accumulators& sums) {
    const int width = tile.vectors * tile.lanes;
    int lanes = tile.lanes;
    if (lanes == 1 && e_.target().vector_bits > 0)
      lanes = std::min(e_.target().lanes(32), static_cast<int>(std::bit_floor(unsigned(width))));
    for (int column = 0; column < width; column += lanes)
      for (int r = 0; r < tile.rows; ++r)
        p_.store(tile.row.plus(r), tile.column.plus(column), lanes,
                 emit_.finish(e_, tile, sums, r, column, lanes));
  }

  Emitter& e_;
  const PackedProduct& p_;
  const MicroChoice& choice_;
  const MicroKernelEmitter& emit_;
  int64_t segment_ = 0, depth_ = 0;
  std::vector<ColumnRun> columns_;
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
  if (choice.is_outer_product()) return std::nullopt;
  return choice;
}

void multiply_packed(Emitter& e, const PackedProduct& product, const MicroChoice& choice,
                     const MicroKernelSet& set) {
  e.choice.schedule = cat(e.choice.schedule, ", ", choice.kernel->name);
  e.tile_emitted(choice.tile.rows, choice.tile.vectors, choice.tile.lanes);
  PackedLoops(e, product, choice, *set.emitter(choice.kernel->name)).run();
}

}  // namespace hlocc::lowering
