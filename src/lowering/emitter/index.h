// Where an element stands: one affine expression a dimension, and the dimension along which the
// lanes of a vector run.
#pragma once
#include <vector>

#include "hlo/shape.h"
#include "kernel/builder.h"

namespace hlocc::lowering {

using kernel::Affine;

// Lane l of the element at this index stands at `at`, but for dimension lane_dim, where it stands
// at at[lane_dim] + l. lane_dim kNone: all lanes are the same element, and a scalar is computed. A
// flat index has one entry, the row-major position, and serves groups in which every array has the
// same elements in the same order.
struct Index {
  std::vector<Affine> at;
  int lane_dim = kernel::kNone;
  int lanes = 1;
  bool flat = false;

  bool operator==(const Index&) const = default;
  static Index scalar() { return {}; }
  // Lanes along a dimension, of which one is none.
  Index& along(int64_t dimension, int count) {
    lanes = count;
    lane_dim = count > 1 ? static_cast<int>(dimension) : kernel::kNone;
    return *this;
  }
  // Where one of the lanes stands, as a single element.
  Index lane(int n) const {
    Index one = *this;
    one.at[lane_dim] = at[lane_dim].plus(n);
    return one.along(kernel::kNone, 1);
  }
  bool has_lanes() const { return lane_dim != kernel::kNone && lanes > 1; }
};

// The value of an element: a complex one is a pair.
struct Element {
  kernel::ValueId re = kernel::kNone, im = kernel::kNone;
  bool is_complex() const { return im != kernel::kNone; }
};

// Numbers that memory holds for an element of the shape.
inline int64_t parts(const hlo::Shape& shape) {
  return hlo::is_complex(shape.element_type) ? 2 : 1;
}

}  // namespace hlocc::lowering
