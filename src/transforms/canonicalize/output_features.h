// Which dimension of a contraction's result tells its output features apart.
#pragma once
#include <optional>

#include "hlo/module.h"

namespace hlocc::transforms {

// Where the output features of a contraction stand in its result and in its weights.
struct Features {
  int64_t in_result = 0, in_weights = 0;
};

// Of a convolution or a dot whose operand `side` (0 or 1), of that shape, is the weights. None
// where there is no such dimension or more than one.
std::optional<Features> output_features(const hlo::Instruction& contraction, int side,
                                        const hlo::Shape& weights);

}  // namespace hlocc::transforms
