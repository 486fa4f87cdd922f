// Walking arrays. Most data movement is one affine map from a box of indices to two addresses; the
// rest walks indices with the odometer below.
#pragma once
#include "hlo/literal.h"
#include "support/product.h"

namespace hlocc::interpreter {

using hlo::Dimensions;

// The elements base + sum(index[d] * strides[d]) of an array.
struct StridedView {
  int64_t base = 0;
  Dimensions strides;
};

// to(index) = from(index) for all indices of a box; elements are opaque units of `width` bytes.
void strided_copy(const Dimensions& box, int width, std::byte* to, const StridedView& to_view,
                  const std::byte* from, const StridedView& from_view);

// Steps `index` to the next one of the box in row-major order; false at the end (and index is all
// zeros again).
inline bool next_index(Dimensions& index, const Dimensions& box) {
  for (size_t d = box.size(); d-- > 0;) {
    if (++index[d] < box[d]) return true;
    index[d] = 0;
  }
  return false;
}

inline int64_t dot(const Dimensions& a, const Dimensions& b) {
  int64_t sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline bool contains(const Dimensions& list, int64_t item) {
  for (int64_t x : list)
    if (x == item) return true;
  return false;
}

// The dimensions 0..rank-1 that are in none of the lists, in order.
inline Dimensions others(int rank, const Dimensions& a, const Dimensions& b = {}) {
  Dimensions out;
  for (int64_t d = 0; d < rank; ++d)
    if (!contains(a, d) && !contains(b, d)) out.push_back(d);
  return out;
}

// {list[i] for i in picks}
inline Dimensions pick(const Dimensions& list, const Dimensions& picks) {
  Dimensions out;
  for (int64_t i : picks) out.push_back(list[i]);
  return out;
}

inline Dimensions concatenated(Dimensions a, const Dimensions& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace hlocc::interpreter
