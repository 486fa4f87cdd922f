// See requantize_pairs.cpp.
#pragma once
#include "target/target.h"
#include "transforms/integers/integer_ranges.h"

namespace hlocc::transforms {

// Vectors of floats scale as fast as integers would; MVE's take more instructions (design/007).
bool scales_in_floats(const Target& target);

// What stands for an instruction that gives 8-bit integers, made of one array or two of such;
// kNone: it stays as it is.
InstructionId requantized_pair(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                               const Target& target);

}  // namespace hlocc::transforms
