// How many arrays lie in a shape, and where those of an element begin, without the copies that
// leaf_shapes makes.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hlo/shape.h"

namespace hlocc::hlo {

// 1 for an array, 0 for a token.
size_t leaf_count(const Shape& shape);

// Leaves of the elements of a tuple that come before element `index`.
size_t leaves_before(const Shape& tuple, int64_t index);

}  // namespace hlocc::hlo
