// Reordering of array elements at the border: files may store them in any order of dimensions,
// literals are row-major.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "hlo/shape.h"

namespace hlocc::import {

// The elements of an array, `width` bytes each, that lie in the order of `minor_to_major`, in
// row-major order.
std::vector<std::byte> to_row_major(std::span<const std::byte> elements,
                                    const hlo::Dimensions& dimensions,
                                    const hlo::Dimensions& minor_to_major, int width);

// The other way: row-major elements in the order of `minor_to_major`.
std::vector<std::byte> from_row_major(std::span<const std::byte> elements,
                                      const hlo::Dimensions& dimensions,
                                      const hlo::Dimensions& minor_to_major, int width);

// A dense row-major block of size `inner`, placed at the origin of a zeroed block of size `outer`.
std::vector<std::byte> embed(std::span<const std::byte> elements, const hlo::Dimensions& inner,
                             const hlo::Dimensions& outer, int width);
// The other way: the block of size `inner` at the origin of one of size `outer`.
std::vector<std::byte> extract(std::span<const std::byte> elements, const hlo::Dimensions& inner,
                               const hlo::Dimensions& outer, int width);

}  // namespace hlocc::import
