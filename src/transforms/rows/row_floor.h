// The row-wise floor: how few bytes a model's arrays would take if every row were freed at its last
// reader and the model's own arguments were eaten as they are read. It follows from the layers'
// shapes alone and says what a plan may hope for (`hlocc analyze`); no plan is made of it.
#pragma once
#include <optional>

#include "hlo/module.h"

namespace hlocc::transforms {

// The most that is alive at once where each layer makes a row when it is asked for, beside all that
// others still read. Layers are convolutions, pools, reductions and products; what lies between
// them is computed with them. None for modules whose entry has control flow, or is too large.
std::optional<int64_t> row_floor(hlo::Module module);

}  // namespace hlocc::transforms
