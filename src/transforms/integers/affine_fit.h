// Affine forms that equal a function of two 8-bit integers at every pair:
// (x * fx + y * fy + offset) >> shift, clamped, in sums of 32 bits.
#pragma once
#include "costs/requantization.h"
#include "transforms/integers/byte_function.h"

namespace hlocc::transforms {

// A fit with up to so many exceptions that equals the table at every pair, with no sum beyond 32
// bits. None if there is none near the fit that comes nearest, or if it is not found while bounds
// are compared so often.
std::optional<costs::Requantization> fit_affine(const ByteTable& table, size_t most_exceptions,
                                                int64_t most_compared = 1 << 27);

}  // namespace hlocc::transforms
