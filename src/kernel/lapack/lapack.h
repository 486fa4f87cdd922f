// The LAPACK calls that XLA's CPU programs contain (custom calls `lapack_spotrf_ffi`, ...), as
// kernels: written once with the builder, so that every backend and the interpreter have them. The
// algorithms are LAPACK's own, unblocked, so that signs of vectors and choices of pivots agree.
#pragma once
#include <span>
#include <string_view>

#include "hlo/shape.h"
#include "kernel/kernel.h"
#include "support/result.h"

namespace hlocc::kernel {

// True for targets that look like LAPACK's, served or not.
bool is_lapack_call(std::string_view target);
// Operands, then result leaves, are the kernel's buffers in their order; arrays are row-major in
// their logical dimensions, leading ones are a batch. `options` is the call's backend_config:
// `{uplo = 76 : ui8}`.
Result<Kernel> lapack_kernel(std::string_view target, std::string_view options,
                             std::span<const hlo::Shape> operands,
                             std::span<const hlo::Shape> results);

}  // namespace hlocc::kernel
