// Affine forms that equal a function of two 8-bit integers at every pair:
// (x * fx + y * fy + offset) >> shift, clamped, in sums of 32 bits.
#pragma once
#include "costs/requantization.h"
#include "transforms/integers/byte_function.h"

namespace hlocc::transforms {

struct AffineFit {
  int64_t first_factor = 0, second_factor = 0, offset = 0;
  int shift = 0;
  int64_t low = 0, high = 0;  // its clamps
  costs::Rounding rounding = costs::Rounding::kDown;
  using Exception = costs::Requantization::Exception;
  std::vector<Exception> exceptions;

  int64_t at(int64_t x, int64_t y) const;
};

// A fit with up to so many exceptions that equals the table at every pair, with no sum beyond 32
// bits. None if there is none near the fit that comes nearest, or if it is not found while bounds
// are compared so often.
std::optional<AffineFit> fit_affine(const ByteTable& table, size_t most_exceptions,
                                    int64_t most_compared = 1 << 27);

}  // namespace hlocc::transforms
