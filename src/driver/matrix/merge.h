// One report of those of several shards.
#pragma once
#include <vector>

#include "driver/matrix/cell_result.h"

namespace hlocc::driver {

// Of a cell, what the last report says that did not leave it out. Those of a shard whose report is
// missing have failed, by kArgument.
MatrixReport merged(const std::vector<MatrixReport>& reports);

}  // namespace hlocc::driver
