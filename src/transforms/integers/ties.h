// Rounding of fixed-point numbers where numbers halfway between two integers matter: scales like
// 1/4 have one in four there, and no offset puts them all on the right side.
#pragma once
#include <cstdint>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Where numbers halfway between two integers go: the number's offset says it (the number is just
// rounded down), or to the even or the odd integer.
enum class Ties : uint8_t { kByOffset, kToEven, kToOdd };

// `sum` / 2^shift in integers.
inline int64_t rounded_shift(int64_t sum, int shift, Ties ties) {
  const int64_t half = ties == Ties::kByOffset ? 0 : int64_t{1} << (shift - 1),
                odd = (sum >> shift) & 1;
  if (ties == Ties::kToEven) sum += half - 1 + odd;
  if (ties == Ties::kToOdd) sum += half - odd;
  return sum >> shift;
}
// The same as instructions, of an s32 array; nothing may overflow with half of 2^shift added.
InstructionId rounded_shift(Rewriter& r, InstructionId sum, int shift, Ties ties);

}  // namespace hlocc::transforms
