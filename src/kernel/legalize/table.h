// The legalisation table: for an op on a type and a target, whether the emitters keep it or which
// expansion rewrites it.
//
// Kept by every row of the table on every target, so that this is what an emitter must know:
//   f32, f64   abs neg add sub mul div mul_add native.max native.min compare select bitcast
//              native.convert
//   integers   abs neg not add sub mul and or xor native.{div,rem,shl,shr,max,min,convert}
//              compare select bitcast
//   index      the same but bitcast
//   pred       not and or xor select
//   vectors    constant splat lane_index extract insert shuffle; reduce_* of integers, reduce_add
//              and reduce_mul of floats; dot_accumulate and matrix_accumulate where an instruction
//              does that group (dot_instructions.h), that tile
//   memory     load store prefetch
//   control    loop if while; barrier where there are groups of threads
// native.convert never has pred on either side. By target also: sqrt, native.fma, directed
// rounding, IEEE minimum and maximum; mulhi, mulhi_doubled and mul_shift_right of vectors of s32;
// leading zeros of 32 bits; spread_bytes of words; saturate of four s32. Types that are left: pred,
// index, integers of 8 bits and more, f32, f64 (held_scalar in site.h says how others are kept).
#pragma once
#include "kernel/legalize/site.h"

namespace hlocc::kernel {

// The type that decides over an op: the first operand's where the result says nothing (compare,
// convert), else the result's.
Type deciding_type(const Kernel& kernel, const Op& op);

// What is to become of an op: kept, rewritten, or (neither) not served, which is a gap of the
// table.
struct Decision {
  bool keep = false;
  Expansion expand = nullptr;
};
// What else is known of an op's operands.
struct OperandFacts {
  // One side is a known number, which may make an expansion shorter than an op that would be kept.
  bool constant = false;
  Type last;             // of the last operand
  bool is_ones = false;  // the last operand is one in each lane
};
Decision decide(OpKind kind, Type deciding, Type result, const Target& target,
                const OperandFacts& operands = {});

}  // namespace hlocc::kernel
