// RowPasses: how a row group (transforms/fusion/fuse_rows.cpp) is run. Each row is walked once a
// level of reductions, and once more for the result if that is as long as the row; what is costly
// to compute and wanted again is kept in the meantime.
#pragma once
#include <set>

#include "lowering/program/group.h"

namespace hlocc::lowering {

struct RowPasses {
  // Dimensions of the row group's arrays; the rows are the dimensions from `outer` on.
  hlo::Dimensions whole;
  int outer = 0;
  struct Pass {
    std::vector<hlo::InstructionId> reductions;
    // Kept from this pass on.
    std::vector<hlo::InstructionId> kept;
    bool writes_root = false;
    // Computed anew, reads and broadcasts among them: kept values of earlier passes are not looked
    // behind.
    std::set<hlo::InstructionId> needs;
  };
  std::vector<Pass> passes;
  // Values of a reduced row that whole rows ask for, by the pass after which they are known (0:
  // before the first).
  std::vector<std::vector<hlo::InstructionId>> spread;
  bool root_is_whole = false;
  // The kept value that waits in the root's place; kNone if none does.
  hlo::InstructionId kept_in_root = hlo::kNone;

  int rank() const { return static_cast<int>(whole.size()); }
  hlo::Dimensions outer_dimensions() const { return {whole.begin(), whole.begin() + outer}; }
  hlo::Dimensions row_dimensions() const { return {whole.begin() + outer, whole.end()}; }
};

RowPasses plan_row_passes(const Group& group);

// (root, external) that may share their place: every element is read for the last time before it is
// written.
std::vector<std::pair<int, hlo::InstructionId>> row_in_place_pairs(const Group& group);

}  // namespace hlocc::lowering
