// Signatures of called computations: what reducers, comparators, loop bodies and branches must take
// and return.
#pragma once
#include <vector>

#include "ops/site.h"
#include "support/result.h"

namespace hlocc::ops {

// Parameters and result of a computation equal the given shapes, up to layout. `role` names it in
// the message: "body".
Status check_parameters(const Computation& callee, const std::vector<Shape>& parameters,
                        std::string_view role);
Status check_result(const Computation& callee, const Shape& result, std::string_view role);

// The callee takes 2N scalars (accumulators, then elements) of `types` each and returns them: the
// form of the reducers of reduce, reduce-window, scatter and all-reduce.
Status check_reducer(const Computation& callee, const std::vector<PrimitiveType>& types,
                     std::string_view role);

}  // namespace hlocc::ops
