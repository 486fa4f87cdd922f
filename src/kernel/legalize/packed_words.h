// Vectors of bytes and of 16 bits that are held in words of 32 bits, the first lane lowest: on
// cores without vectors that have Arm's DSP instructions (SXTB16, SMLAD), which want a word each.
#pragma once
#include <vector>

#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::kernel {

bool has_packed_words(const Target& target);
// The vector is whole words.
bool fills_words(Type type);
inline bool is_held_in_words(const Target& target, Type type) {
  return has_packed_words(target) && fills_words(type);
}
// The word of a vector `from` that a shuffle with these lanes takes, in that order; -1: none.
int picked_word(Type from, const std::vector<int>& lanes);
// The same of a word of four bytes whose middle two change places, which is the order in which
// SXTB16 spreads them.
int picked_interleaved_word(Type from, const std::vector<int>& lanes);

}  // namespace hlocc::kernel
