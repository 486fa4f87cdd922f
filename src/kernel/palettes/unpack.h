// A kernel that reads constants as indices into palettes (palette.h): it looks their elements up in
// scratch before it reads them, and is the same kernel otherwise. As much is looked up at a time as
// the loops allow without looking an element up twice: the columns of a tile where tiles go
// outermost, all of the constant where they do not.
//
//   loop %n = 0 to 64 step 4 {                  loop %n = 0 to 64 step 4 {
//     ... load w[64*%n + %k] ...          ->      loop %g = 0 to 32 step 1 { looked[8*%g] = ... }
//   }                                             ... load looked[%k] ... }
#pragma once
#include <optional>
#include <span>

#include "kernel/program.h"

namespace hlocc::kernel {

// What a palette of such elements holds: moved as integers, floats keep all their bits.
inline Scalar palette_scalar(Scalar element) {
  return is_float(element) ? unsigned_of_width(scalar_bits(element)) : element;
}

struct UnpackedKernel {
  // The operands that were constants are indices; behind the other operands come the palettes.
  Kernel kernel;
  int64_t scratch_bytes = 0;
  int64_t ops = 0;  // operations of code that were added
};

// `uses`: operands and the bits of their indices; `elements`: of their palettes. None where an
// operand has no form in integers.
std::optional<UnpackedKernel> unpack_palettes(const Kernel& kernel,
                                              std::span<const PaletteUse> uses,
                                              std::span<const int64_t> elements);

}  // namespace hlocc::kernel
