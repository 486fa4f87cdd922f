// The one place where a requantisation (costs/requantization.h) becomes instructions.
#pragma once
#include "costs/requantization.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// What is requantised, and the dimensions along which numbers of channels lie.
struct RequantizedArrays {
  std::vector<InstructionId> arrays;
  Dimensions mapping, sizes;
};

// Integers of the shape.
InstructionId requantized(Rewriter& r, const costs::Requantization& form, RequantizedArrays of,
                          const Shape& shape);

// What `values` say of each byte, read where it says as an unsigned number.
InstructionId looked_up(Rewriter& r, InstructionId bytes, Literal values);

// A sum with a bias a channel; of the channels of `mapping` and `sizes`, if these are some.
struct BiasedSum {
  InstructionId unbiased = kNone;
  std::vector<int64_t> bias;
  Dimensions mapping, sizes;
};
std::optional<BiasedSum> biased_sum(const Rewriter& r, InstructionId sum, const Dimensions& mapping,
                                    const Dimensions& sizes);

}  // namespace hlocc::transforms
