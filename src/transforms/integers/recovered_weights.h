// Weights that were bytes: quantised networks are exported with their weights as floats again, each
// the product of a byte and a scale.
#pragma once
#include <optional>
#include <vector>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

struct RecoveredWeights {
  Literal bytes;               // s8, of the floats' shape
  std::vector<double> scales;  // one for all, or one for each place along the dimension asked for
};

// Bytes and scales (f32 numbers) whose products, rounded to f32, are these f32 numbers, bit for bit
// but for the sign of zeros; with a scale for each place along `dimension`, if there is one. None
// where the numbers are no such products.
std::optional<RecoveredWeights> recovered_weights(const Literal& floats,
                                                  std::optional<int64_t> dimension);

// The same for weights [rows, columns] with a scale for each `group` rows of a column: integers of
// so many bits (4 or 8: s4, s8), all that the type holds, and f32 scales [rows / group, columns].
struct ScaledGroups {
  Literal whole, scales;
};
std::optional<ScaledGroups> scaled_groups(const Literal& floats, int bits, int64_t group);

}  // namespace hlocc::transforms
