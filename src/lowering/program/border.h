// Kernels that no HLO op asks for by itself: at the border of a program, packed leaves become
// arrays of one element a byte and back; the counter of random numbers moves on.
#pragma once
#include "hlo/shape.h"
#include "kernel/kernel.h"

namespace hlocc::lowering {

// True if the leaf lies packed in the caller's memory: several elements a byte, the first one in
// the low bits.
bool is_packed(const hlo::Shape& leaf);
// in: the packed bytes; out: one element a unit of storage, in the same order.
kernel::Kernel unpack_kernel(const hlo::Shape& leaf);
kernel::Kernel pack_kernel(const hlo::Shape& leaf);

// What a fresh instance's counter holds, low word first: XLA's number.
inline constexpr uint64_t kFirstRandomState[2] = {0x7012395, 0};
// out: the 128-bit counter as it was, in two words; inout: the counter, to which delta is added.
kernel::Kernel random_state_kernel(uint64_t delta);

}  // namespace hlocc::lowering
