// See requantize_pairs.cpp.
#pragma once
#include "target/target.h"
#include "transforms/integers/integer_ranges.h"

namespace hlocc::transforms {

// What stands for an instruction that gives integers of 8 or 16 bits, made of one array or two of
// 8-bit ones; kNone: it stays as it is.
InstructionId requantized_pair(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                               const Target& target);

// A table of floats in place of a function of one array of bytes that is dear to compute (logistic,
// exp, ...), whose result is no integer again; kNone: it is none.
InstructionId dear_function_of_bytes(Rewriter& r, const Instruction& last, const Target& target);

}  // namespace hlocc::transforms
