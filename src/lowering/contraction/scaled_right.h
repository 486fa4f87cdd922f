// The right side of a product where the kernel makes it anew of known integers and scales
// (transforms/weights/weight_compression.cpp). Many rows read it from scratch: the columns of a
// tile are converted and scaled once, then all rows meet them. One row multiplies the integers and
// scales the sum of each group of steps: a weight then costs no more than its conversion.
#pragma once
#include "lowering/contraction/contraction.h"

namespace hlocc::lowering {

// Columns of a tile, [steps of all dimensions of the reduction, columns], in scratch.
class MadePanel {
 public:
  // For the widest of the runs; `load` gives the right side at a place of the reduction, whose
  // sizes are given, and a column.
  using Load = std::function<kernel::ValueId(const std::vector<Affine>& step, const Affine& column,
                                             int lanes)>;
  MadePanel(Emitter& e, kernel::Scalar type, hlo::Dimensions sizes,
            const std::vector<ColumnRun>& runs, Load load);

  // Makes the columns of one tile, before its rows read them; the right side counts from `column`.
  void make(const Affine& column, const ColumnRun& run) const;
  kernel::ValueId load(const Tile& tile, const Affine& step, int vector) const;

 private:
  Emitter& e_;
  hlo::Dimensions sizes_;
  Load load_;
  kernel::BufferId buffer_;
};

// Integers times scales that stay the same for `group` steps.
class ScaledRight {
 public:
  // What `right`, [depth, columns] in the type of the sums, is; none if it is made otherwise.
  static std::optional<ScaledRight> of(const Emitter& e, hlo::InstructionId right,
                                       kernel::Scalar sum);
  // Two integers of four bits are looked up by their byte, where that is faster than to convert
  // each. To be asked for before any scratch.
  void look_up(Emitter& e);

  int64_t group() const { return group_; }
  kernel::ValueId whole(Emitter& e, const Affine& step, const Affine& column, int lanes) const;
  // acc + the sums of all groups, each times its scale; `sums` adds up steps [first, first + steps)
  // from nothing.
  using Sums = std::function<Accumulators(const Affine& first, int64_t steps)>;
  Accumulators accumulate(Emitter& e, const Tile& tile, Accumulators acc, const Sums& sums) const;

 private:
  Index place(Emitter& e, const Affine& step, const Affine& column, int lanes) const;

  hlo::InstructionId whole_ = hlo::kNone, scales_ = hlo::kNone;
  int64_t depth_ = 0, group_ = 0;
  bool by_groups_ = false;  // both are [groups, group, columns]
  kernel::BufferId table_ = kernel::kNone;
};

}  // namespace hlocc::lowering
