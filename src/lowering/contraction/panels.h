// Constant weights in the order in which tiles read them: each run of columns that a tile walks
// down is a panel of its own, [depth][columns of a tile], so that a step of the reduction reads the
// cache lines behind the last one's. As a matrix lies, every step would be a row further, in
// another page and often in the same set of the cache. Without a cache it is the addresses that
// count: those within a step are numbers for every layer, so that layers can share a kernel.
#pragma once
#include "lowering/contraction/contraction.h"

namespace hlocc::lowering {

class Panels {
 public:
  // The weights `right`, row-major [depth, columns], where that is known and worth it. `runs` cut
  // the columns of one of `groups` equal parts.
  static std::optional<Panels> pack(Emitter& emitter, hlo::InstructionId right, int64_t depth,
                                    int64_t groups, const std::vector<ColumnRun>& runs);

  // Where column `column` of a group stands, counted through all groups as they are packed.
  Affine place(const Affine& group, const Affine& column) const {
    return group.times(of_group_).plus(column);
  }
  // Columns [column + lanes * vector, ...) at step k, where a tile of `vectors` begins at the place
  // `column`.
  kernel::ValueId load(Emitter& emitter, const Affine& column, const Affine& k, int vector,
                       int vectors, int lanes) const {
    return emitter.b.load(
        buffer_,
        column.times(depth_).plus(k.times(int64_t{vectors} * lanes)).plus(int64_t{vector} * lanes),
        lanes);
  }

  // While a tile that begins at row `row` reads steps [k, k + steps) of its panel, hints at its
  // share of the next panel, so that this one's multiply-adds hide the way from far memory. `rows`
  // rows walk down a panel.
  void prefetch(Emitter& emitter, const Contraction::Tile& tile, const Affine& column,
                const Affine& row, int64_t rows, const Affine& k, int64_t steps) const;

 private:
  kernel::BufferId buffer_ = kernel::kNone;
  int64_t depth_ = 0, of_group_ = 0, bytes_ = 0, line_ = 0;  // line_: elements of a cache line
};

}  // namespace hlocc::lowering
