// See leaves.h.
#include "hlo/leaves.h"

namespace hlocc::hlo {

size_t leaf_count(const Shape& shape) {
  size_t count = shape.is_array() ? 1 : 0;
  for (const Shape& element : shape.tuple) count += leaf_count(element);
  return count;
}

size_t leaves_before(const Shape& tuple, int64_t index) {
  size_t count = 0;
  for (int64_t n = 0; n < index; ++n) count += leaf_count(tuple.tuple[n]);
  return count;
}

}  // namespace hlocc::hlo
