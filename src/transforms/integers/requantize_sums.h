// Sums of several accumulators with a scale each, to 8 or 16 bits: what enters the gates of a
// recurrent cell, (x * sx + h * sh + bias) / s, rounded, clamped. No table tells such a function,
// and floats round on the way: one sum in 64 bits is nearer to the real number than they are
// (docs/numerics.md).
#pragma once
#include "target/target.h"
#include "transforms/integers/integer_ranges.h"

namespace hlocc::transforms {

// What stands for a conversion to integers of 8 or 16 bits; kNone: it stays as it is.
InstructionId requantized_sum(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                              const Target& target);

}  // namespace hlocc::transforms
