// Checks a kernel: every value defined before use and of the type that its op asks for, buffers in
// range and written only if they may be, regions and yields that fit, mapped loops and barriers
// where they may stand (mapped.h). Run between any two stages.
#pragma once
#include "kernel/kernel.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::kernel {

Status verify(const Kernel& kernel);
// Also that only ops are left that the legalisation table keeps for this target, and that loops are
// mapped only where it has groups of threads, as many as it takes.
Status verify_legal(const Kernel& kernel, const Target& target);

}  // namespace hlocc::kernel
