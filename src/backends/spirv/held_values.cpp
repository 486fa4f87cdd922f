// How values are held in registers and lie in memory. See arithmetic.h.
#include "backends/spirv/arithmetic.h"

namespace hlocc::backends {

using kernel::Scalar;

namespace {

bool is_real(Scalar s) { return s == Scalar::kF32 || s == Scalar::kF64; }

int held_bits(Scalar s) {
  return s == Scalar::kIndex ? 32 : std::max(32, 8 * kernel::scalar_bytes(s));
}

// Integers: floats of so few bytes have become some, and truth values are asked for before.
bool is_narrow(Scalar s) { return kernel::scalar_bytes(s) < 4; }

}  // namespace

bool is_pair(const ModuleWriter& out, Scalar scalar) {
  return !out.device().i64 && kernel::is_integer(scalar) && kernel::scalar_bits(scalar) == 64;
}

SpirvId held_type(ModuleWriter& out, Scalar scalar) {
  if (scalar == Scalar::kPred) return out.boolean();
  if (is_pair(out, scalar)) return out.vector(out.integer(32), 2);
  return is_real(scalar) ? out.real(held_bits(scalar)) : out.integer(held_bits(scalar));
}

SpirvId stored_type(ModuleWriter& out, Scalar scalar) {
  if (scalar == Scalar::kPred) return out.integer(8);
  if (scalar == Scalar::kIndex) return out.integer(32);
  if (is_pair(out, scalar)) return held_type(out, scalar);
  const int bits = 8 * kernel::scalar_bytes(scalar);
  return is_real(scalar) ? out.real(bits) : out.integer(bits);
}

SpirvId held_constant(ModuleWriter& out, Scalar scalar, uint64_t bits) {
  if (scalar == Scalar::kPred) return out.truth(bits != 0);
  if (is_narrow(scalar)) {
    const int unused = 64 - 8 * kernel::scalar_bytes(scalar);
    bits <<= unused;
    bits = kernel::is_signed(scalar) ? static_cast<uint64_t>(static_cast<int64_t>(bits) >> unused)
                                     : bits >> unused;
  }
  const SpirvId type = held_type(out, scalar);
  if (is_pair(out, scalar))
    return out.composite(type, out.number(static_cast<int64_t>(bits & 0xffffffff)),
                         out.number(static_cast<int64_t>(bits >> 32)));
  return out.constant(type, held_bits(scalar), bits);
}

SpirvId narrowed(ModuleWriter& out, Scalar scalar, SpirvId value) {
  if (!is_narrow(scalar)) return value;
  const int bits = 8 * kernel::scalar_bytes(scalar);
  if (kernel::is_signed(scalar))
    return out.make(Spv::kBitFieldSExtract,
                    {out.integer(32), value, out.number(0), out.number(bits)});
  return out.make(Spv::kBitwiseAnd, {out.integer(32), value, out.number((1 << bits) - 1)});
}

SpirvId held_from_stored(ModuleWriter& out, Scalar scalar, SpirvId value) {
  if (scalar == Scalar::kPred) {
    const SpirvId wide = out.make(Spv::kUConvert, {out.integer(32), value});
    return out.make(Spv::kINotEqual, {out.boolean(), wide, out.number(0)});
  }
  if (!is_narrow(scalar)) return value;
  return out.make(kernel::is_signed(scalar) ? Spv::kSConvert : Spv::kUConvert,
                  {out.integer(32), value});
}

SpirvId stored_from_held(ModuleWriter& out, Scalar scalar, SpirvId value) {
  if (scalar == Scalar::kPred)
    value = out.make(Spv::kSelect, {out.integer(32), value, out.number(1), out.number(0)});
  else if (!is_narrow(scalar))
    return value;
  return out.make(Spv::kUConvert, {stored_type(out, scalar), value});
}

}  // namespace hlocc::backends
