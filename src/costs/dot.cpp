// See dot.h.
#include "costs/dot.h"

namespace hlocc::costs {

// Where vectors and caches make an outer product faster: adding up the lanes of each sum takes as
// long as some hundred steps of the reduction, a transpose as long as eight rows.
bool is_better_moved(const Target& target, int64_t rows, int64_t depth, bool is_made, bool is_f32) {
  constexpr int64_t kFewRows = 4, kManyRows = 48, kDepthOfRow = 5;
  if (is_made) return rows >= kFewRows;
  const bool pays =
      rows >= kManyRows || (target.out_of_order && rows >= kFewRows && depth <= kDepthOfRow * rows);
  return pays && target.has_cache() && target.vector_bits > 0 && !target.options.for_size() &&
         is_f32;
}

bool reads_turned(const Target& target) {
  return target.out_of_order && target.vector_bits > 0 && !target.options.for_size();
}

bool stays_turned(const Target& target, int64_t rows, int64_t columns) {
  constexpr int64_t kFewest = 4;
  return rows >= kFewest && columns >= kFewest && reads_turned(target);
}

bool is_better_turned(int64_t rows, int64_t depth, int64_t columns, bool right_is_known) {
  constexpr int64_t kNarrow = 8, kManyRows = 16;
  return right_is_known ? columns <= kNarrow && rows >= kManyRows : rows <= depth;
}

}  // namespace hlocc::costs
