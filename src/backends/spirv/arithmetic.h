// Ops without regions and without memory, one row of a table each: which instruction of SPIR-V is
// one, on which types, and what it takes besides.
//
// How values are held: pred as bool; index, and all integers up to 32 bits, as 32 bits, those of 8
// and 16 sign- or zero-extended (a GPU has no smaller registers, and few drivers have the
// capabilities Int8 and Int16); 64-bit integers as they are or as pairs of words; f32 and f64.
#pragma once
#include <span>

#include "backends/spirv/module_writer.h"
#include "kernel/kernel.h"

namespace hlocc::backends {

// Whether it is two words in a vector, the low one first: 64 bits where a device has no such
// integers (pairs.cpp).
bool is_pair(const ModuleWriter& out, kernel::Scalar scalar);
// The type in which a value is held, and the one in which it lies in memory.
SpirvId held_type(ModuleWriter& out, kernel::Scalar scalar);
SpirvId stored_type(ModuleWriter& out, kernel::Scalar scalar);
// A constant, from the bits that kernel::Constant has.
SpirvId held_constant(ModuleWriter& out, kernel::Scalar scalar, uint64_t bits);
// A value of 32 bits brought back into the range of an 8-bit or 16-bit integer.
SpirvId narrowed(ModuleWriter& out, kernel::Scalar scalar, SpirvId value);
// What was loaded as memory has it, as it is held; and the way back.
SpirvId held_from_stored(ModuleWriter& out, kernel::Scalar scalar, SpirvId value);
SpirvId stored_from_held(ModuleWriter& out, kernel::Scalar scalar, SpirvId value);

struct OpSite {
  ModuleWriter& out;
  const kernel::Op& op;
  kernel::Scalar scalar, from;        // of the result, and of the first operand
  std::span<const SpirvId> operands;  // as they are held
  // A word that is 0, and that the driver does not know; where the row wants it, else 0.
  SpirvId hidden_zero = 0;
};
// The result; 0 where the table has no row for the op.
SpirvId write_arithmetic(const OpSite& site);
// The same where the result or the first operand is a pair.
SpirvId write_of_pairs(const OpSite& site);

}  // namespace hlocc::backends
