// The worst-case stack of `run`: it calls kernels, and kernels call nobody but math functions,
// which call nobody, and the compiler's helpers.
#pragma once
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::backends {

// Fills stack_bytes from frames, core and what is known of the helpers; stack_is_lower_bound says
// that one is not known.
void measure_stack(const std::string& run_symbol, const Target& target, bool calls_math,
                   Artifacts& artifacts);

}  // namespace hlocc::backends
