// Arguments as an attacker, or a broken sensor, would choose them: what indices, conversions and
// comparisons trip over. The module stays what it was, and the interpreter says what is right.
#pragma once
#include "fuzz/builder.h"

namespace hlocc::fuzz {

// Of each argument's elements about one in three becomes such a value of its type: infinities,
// zeros and numbers below the normal ones of both signs, the largest numbers, quiet and signalling
// NaNs with payloads, the smallest and the largest integer and their neighbours, -1. Preds stay 0
// or 1.
void make_hostile(Program& program, uint64_t seed);

}  // namespace hlocc::fuzz
