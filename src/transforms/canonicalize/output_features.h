// What a contraction's dimensions are: which one of its result tells its output features apart, and
// how many products an element of it is the sum of.
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

// Products that are added up in one element of a convolution or a dot with that right side.
int64_t products_of_an_element(const hlo::Instruction& contraction, const hlo::Shape& right);

}  // namespace hlocc::transforms
