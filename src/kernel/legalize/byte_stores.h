// Which stores of bytes that lie apart, in steps of one size, are one instruction of a chip.
// Legalisation leaves such a store as it is; a backend asks here and stores lane by lane elsewhere.
#pragma once
#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::kernel {

// The type is that of what is stored.
bool scatters_bytes(const Access& access, Type type, const Target& target);

}  // namespace hlocc::kernel
