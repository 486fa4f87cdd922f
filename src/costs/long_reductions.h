// Long reductions on devices of many threads: how many partial results pay, which one launch makes
// and another one puts together in order.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// Partial results of each of `results` reductions over `steps`; 1: none.
int64_t partial_results(const Target& target, int64_t results, int64_t steps);
// The same where they must divide the steps.
int64_t even_partial_results(const Target& target, int64_t results, int64_t steps);

}  // namespace hlocc::costs
