// What a row of the legalisation table may ask of an op's types and of the target.
#pragma once
#include <bit>

#include "kernel/legalize/dot_instructions.h"
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/packed_words.h"
#include "kernel/legalize/table.h"

namespace hlocc::kernel {

struct Question {
  const Target& target;
  Type deciding, result;
  const OperandFacts& operands;
};
using Condition = bool (*)(const Question&);

inline bool has(const Question& q, Isa extension) { return q.target.has(extension); }
inline bool has_unit(const Question& q) {
  return q.deciding.scalar == Scalar::kF32 ? q.target.f32_unit : q.target.f64_unit;
}

inline bool always(const Question&) { return true; }
inline bool has_sqrt(const Question& q) { return has_unit(q) && q.target.float_roots; }
inline bool has_scale(const Question& q) { return has_native_scale(q.target, q.deciding); }
inline bool has_fma(const Question& q) { return has_native_fma(q.target, q.deciding.scalar); }
// LLVM 19 chooses no truth values lane by lane on HVX.
inline bool are_masks_of_hvx(const Question& q) {
  return has(q, Isa::kHvx) && q.result.is_vector();
}
inline bool drops_nan(const Question& q) { return has(q, Isa::kHexagon); }
inline bool single_with_f64(const Question& q) { return q.deciding.scalar == Scalar::kF32; }
inline bool is_sse41(const Question& q) { return has(q, Isa::kSse41); }
inline bool is_aarch64(const Question& q) { return has(q, Isa::kAArch64); }
// Arm's VRINT is a scalar instruction of the v8 FPU. LLVM has no vector form of it on MVE that does
// not abort. C has a name for it as little as for a root.
inline bool is_scalar_vrint(const Question& q) {
  return has(q, Isa::kFpArmv8) && has_sqrt(q) && !q.result.is_vector();
}
// CLZ of 32 bits: Arm's since Armv7, NEON's and MVE's of vectors, RISC-V's of Zbb.
inline bool counts_zeros(const Question& q) {
  if (scalar_bits(q.result.scalar) != 32) return false;
  if (is_aarch64(q)) return true;
  if (!q.result.is_vector()) return has(q, Isa::kThumb2) || has(q, Isa::kZbb);
  return has(q, Isa::kNeon) || (has(q, Isa::kMve) && q.result.lanes == 4);
}
// SMMLA, UMMLA: two rows of eight bytes by two others.
inline bool multiplies_byte_tiles(const Question& q) {
  return has(q, Isa::kI8mm) && scalar_bits(q.deciding.scalar) == 8 && q.deciding.lanes == 16 &&
         q.result.lanes == 4;
}
inline bool multiplies_groups(const Question& q) {
  const DotForm form{q.result, q.deciding, q.operands.last, q.operands.is_ones};
  return q.target.dot_loops || dot_instruction(form, q.target) != DotInstruction::kNone;
}
// SXTB16.
inline bool holds_words(const Question& q) { return has_packed_words(q.target); }
// VQSHRN and VQMOVN of MVE and NEON. C, which has loops for all, spells the clamp.
inline bool narrows_with_saturation(const Question& q) {
  return (has(q, Isa::kMve) || q.target.has_neon()) && !q.target.dot_loops &&
         q.result == Type{Scalar::kS8, 4};
}
// VMULH of MVE; two products of half the lanes elsewhere, SMULL's or PMULDQ's. C scales by one
// function instead.
inline bool multiplies_high(const Question& q) {
  if (q.result.scalar != Scalar::kS32) return false;
  if (has(q, Isa::kMve)) return q.result.lanes == 4;
  if (q.target.vector_scaling) return false;
  if (q.target.has_neon()) return q.result.lanes == 4;
  return is_sse41(q) && q.result.lanes >= 4 && std::has_single_bit(q.result.lanes);
}
// SQDMULH.
inline bool doubles_high_products(const Question& q) {
  return q.target.has_neon() && multiplies_high(q);
}
inline bool scales_vectors(const Question& q) {
  const int bits = q.result.lanes * 32;
  return q.target.vector_scaling && q.result.scalar == Scalar::kS32 && bits >= 128 &&
         std::has_single_bit(q.result.lanes) && bits <= q.target.vector_bits;
}
inline bool has_directed_rounding(const Question& q) {
  return is_sse41(q) || is_aarch64(q) || is_scalar_vrint(q);
}
// Of four f32 MVE rounds and converts as the v8 FPU does.
inline bool is_mve_vector(const Question& q) {
  return has(q, Isa::kMve) && has(q, Isa::kFpArmv8) && q.deciding == Type{Scalar::kF32, 4};
}
inline bool fills_registers(const Question& q) {
  const int bits = q.deciding.lanes * 32;
  return q.deciding.scalar == Scalar::kF32 && q.deciding.lanes >= 4 &&
         std::has_single_bit(q.deciding.lanes) && bits <= q.target.vector_bits;
}
inline bool has_even_rounding(const Question& q) {
  return is_sse41(q) || is_aarch64(q) || is_mve_vector(q) ||
         (q.target.vector_rounding && fills_registers(q));
}
// To 32 bits, where NaN gives zero and what is too large the largest.
inline bool has_saturating_convert(const Question& q) {
  const bool in_registers = (q.target.vector_saturation || is_aarch64(q)) && fills_registers(q);
  return (is_mve_vector(q) || in_registers) && is_integer(q.result.scalar) &&
         scalar_bits(q.result.scalar) == 32;
}
inline bool has_away_rounding(const Question& q) { return is_aarch64(q) || is_scalar_vrint(q); }
// Where LLVM's maximum, with NaN and -0 as HLO wants them, is one instruction or a few.
inline bool has_ieee_min_max(const Question& q) {
  const bool neon =
      q.deciding.is_vector() && q.deciding.scalar == Scalar::kF32 && has(q, Isa::kNeon);
  if (is_aarch64(q) || neon) return true;
  // LLVM looks at the sign before it compares; where comparisons make masks, ours compares first
  // and is done sooner.
  if (q.deciding.is_vector() && has(q, Isa::kAvx512F)) return false;
  // Against a constant one comparison of ours is less.
  return !q.operands.constant && (is_sse41(q) || (has(q, Isa::kRiscv) && has_unit(q)));
}
// x86 has vector maxima of integers, but of floats none that knows NaN and -0.
inline bool has_integer_reduction(const Question& q) {
  const bool halves = std::has_single_bit(static_cast<unsigned>(q.deciding.lanes));
  return q.deciding.is_vector() && halves && is_sse41(q) &&
         (q.deciding.scalar == Scalar::kF32 || has(q, Isa::kAvx512F));
}
// QEMU 7.2 stops at RVV's vector conversions that round toward zero, and with it every test.
inline bool is_rvv_truncation(const Question& q) {
  return q.deciding.is_vector() && !is_float(q.result.scalar) && has(q, Isa::kRvv);
}

// Lanes of a grid. Where roots are not rounded as IEEE 754 wants, quotients are not either.
inline bool is_lane(const Question& q) { return q.target.style == KernelStyle::kSimt; }
inline bool has_rough_quotients(const Question& q) { return is_lane(q) && !q.target.float_roots; }
inline bool is_too_wide(const Question& q) {
  return is_lane(q) && q.target.widest_element < 64 && is_wide(q.deciding.scalar);
}
inline bool converts_too_wide(const Question& q) {
  return is_lane(q) && q.target.widest_element < 64 &&
         ((is_wide(q.deciding.scalar) && is_float(q.result.scalar)) ||
          (is_float(q.deciding.scalar) && is_wide(q.result.scalar)));
}

}  // namespace hlocc::kernel
