// NumPy's .npy files: one array each. Types that NumPy lacks travel as raw integers of their size
// (bf16 as u2, f8 as u1, sub-byte types one element a byte as i1 or u1).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "hlo/literal.h"
#include "support/result.h"

namespace hlocc::import {

// The array must have the element type and sizes of `shape`; in a dynamic dimension it may be
// smaller. Fortran order and foreign byte order are put right.
Result<hlo::Literal> read_npy(std::span<const std::byte> bytes, const hlo::Shape& shape);
// `literal` must be an array; of one with dynamic sizes the part that is there is written.
std::vector<std::byte> write_npy(const hlo::Literal& literal);

}  // namespace hlocc::import
