// Where the elements of an array lie along one of its dimensions: runs of elements have one place
// each, as the weights of one feature do.
#pragma once
#include "hlo/shape.h"

namespace hlocc::hlo {

struct Along {
  Along(const Dimensions& sizes, int64_t dimension)
      : places(sizes[static_cast<size_t>(dimension)]) {
    for (auto d = static_cast<size_t>(dimension) + 1; d < sizes.size(); ++d) run *= sizes[d];
  }

  int64_t place(int64_t element) const { return element / run % places; }

  int64_t run = 1, places;
};

}  // namespace hlocc::hlo
