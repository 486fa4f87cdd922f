// Raising: what chips have as one instruction and HLO spells in several ops becomes one op of the
// kernel IR again, before legalisation expands its parts. An op is raised only where the table of
// kernel/legalize/ keeps what it becomes; a target that claims no instruction (a device's plug-in,
// say) sees nothing of it.
//
//   convert<s32>((s64(a) * s64(b)) >> 32)        ->  mulhi a, b
//   convert<s32>((s64(a) * s64(b) + r) >> n)     ->  mul_shift_right a, b rounding r shift n
//   convert<s16>(bytes {4w, 4w+2, 4w+1, 4w+3})   ->  spread_bytes bytes lane w
//   store convert<s8>(min(max(a >> n, -128), 127))  ->  store saturate a shift n
//   ... of mulhi a, b                               ->  ... of mulhi_doubled a, b, shift n + 1
//
// Each idiom is a row of raise.cpp and a file of its own here; what one makes the next one sees.
#pragma once
#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::kernel {

// The same computation; values keep their ids, new ones follow behind.
Kernel raise(const Kernel& kernel, const Target& target);

}  // namespace hlocc::kernel
