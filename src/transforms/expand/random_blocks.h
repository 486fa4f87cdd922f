// The block functions of the counter-based generators as HLO: arrays of 32-bit words in, arrays of
// words out.
#pragma once
#include <array>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// u64 scalars and arrays.
struct Counters {
  InstructionId low = kNone, high = kNone;
};

InstructionId low_word(Rewriter& r, InstructionId u64);
InstructionId high_word(Rewriter& r, InstructionId u64);
// first | second << 32
InstructionId joined_words(Rewriter& r, InstructionId first, InstructionId second);
// 0, 1, 2, ... as u64[count].
InstructionId block_numbers(Rewriter& r, int64_t count);
// A 128-bit counter (scalars) plus each of an array of numbers.
Counters plus(Rewriter& r, Counters counter, InstructionId numbers);

// ThreeFry-2x32-20 with a scalar key: two u32 words for each counter.
std::array<InstructionId, 2> threefry(Rewriter& r, InstructionId key, InstructionId counters);
// Philox-4x32-10 with a scalar key: four u32 words for each counter.
std::array<InstructionId, 4> philox(Rewriter& r, InstructionId key, Counters counters);

}  // namespace hlocc::transforms
