// Which cells this call compiles: those of its shard, and those that changed.
#pragma once
#include <vector>

#include "driver/matrix/cell_result.h"
#include "driver/matrix/spec.h"
#include "support/result.h"

namespace hlocc::driver {

// By cell, the shard that compiles it. Every machine that reads the same files comes to the same
// answer: the costliest cell goes to the shard with the least to do, and so on. A cell costs what
// `times` say of it; of one that they do not know, the mean of its target, scaled by its model's
// size; without any times, the model's bytes and a constant.
std::vector<int> shards_of(const std::vector<MatrixCell>& cells,
                           const std::vector<CellResult>& times, int shards);

// By cell, whether git says that a file which it is made of changed since the revision: the model,
// its snapshots, those that flags name, or the matrix itself. Errors: kMissingTool without git,
// kUsage for no such revision, kEnvironment.
Result<std::vector<bool>> changed_since(const MatrixSpec& spec, const std::string& revision);

}  // namespace hlocc::driver
