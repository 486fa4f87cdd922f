// Values as they lie in a running model's memory: in the order of the entry layout, packed where
// the layout packs, in the byte order of the target. Literals are row-major, one storage unit an
// element, in this machine's byte order.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "hlo/literal.h"
#include "target/target.h"

namespace hlocc::device {

// `shape` is the leaf's, with its layout; the literal's own layout does not matter.
std::vector<std::byte> to_memory(const hlo::Literal& literal, const hlo::Shape& shape,
                                 ByteOrder order);
// The other way; `bytes` must be as many as the leaf has.
hlo::Literal from_memory(std::span<const std::byte> bytes, const hlo::Shape& shape,
                         ByteOrder order);

}  // namespace hlocc::device
