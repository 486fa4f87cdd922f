// The checks that every shape read from a file must pass, whichever format it came from, and its
// canonical form.
#pragma once
#include "hlo/shape.h"
#include "support/result.h"

namespace hlocc::import {

// For one array shape (tuples: their leaves were checked before): sizes are not negative and stay
// below the limit, the layout is a permutation. A row-major layout becomes the empty one, flags of
// all-static dimensions vanish, and element bits other than those of a packed sub-byte type are
// dropped. `what` begins the message: "result shape of %dot.3".
Status check_and_normalize(hlo::Shape& array, std::string_view what);

}  // namespace hlocc::import
