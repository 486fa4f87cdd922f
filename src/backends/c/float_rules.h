// What the C of a model asks of its compiler's floats. IEEE's rules are what the legalised code
// stands on (rounding adds 2^23 and takes it away, logarithms split their argument exactly), and
// flags of compilers void them without a word: the text refuses those that a compiler tells of by a
// macro, and switches the others off by pragma. docs/numerics.md has the table.
#pragma once
#include <string>

namespace hlocc::backends {

// `fast_math`: products may be contracted, divisions be products, and signs of zeros get lost, as
// the user has asked; sums keep their order all the same. `subtracts_from_products`: what of the
// file does (fused_products.h) is kept from GCC's vectorizer where the chip has FMADDSUB.
std::string float_rules(bool fast_math, bool subtracts_from_products);
// A check, by the compiler, that its constants without a suffix are doubles.
extern const char* const kDoubleConstants;

}  // namespace hlocc::backends
