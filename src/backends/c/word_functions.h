// The prelude's functions on words that hold four bytes or two numbers of 16 bits, the first
// lowest: one row each, Arm's DSP instruction by ACLE where the compiler says that it has it, and
// beside it the same in C.
#pragma once
#include <string>

#include "kernel/type.h"

namespace hlocc::backends {

enum class WordFunction : uint8_t {
  kLoad,      // (from): a word of memory
  kAligned,   // (from): the same, at an address that is a multiple of four
  kStore,     // (to, word)
  kEven,      // (word): its bytes 0 and 2 as numbers of 16 bits
  kOdd,       // (word): its bytes 1 and 3
  kLowPair,   // (even, odd): the first two of four numbers that lie so
  kHighPair,  // (even, odd): the last two
  kDot,       // (sum, a, b): sum + a0 * b0 + a1 * b1 of numbers of 16 bits with a sign
  kTiedDot,   // the same, whose sum stays in its register
};

// Its name; of memory's functions the scalar is the element, of spreading ones the byte's type.
std::string word_function_name(WordFunction function, kernel::Scalar scalar);
// Its definition. Needs HL_COPY, and kWordHead in front.
std::string word_function_text(WordFunction function, kernel::Scalar scalar);

// HL_DSP, and HL_ALIGNED of arrays of bytes; HL_IN_ORDER of functions, HL_HOLD of pointers, HL_DONE
// of sums.
extern const char* const kWordHead;
extern const char* const kInOrder;

}  // namespace hlocc::backends
