// What a loop over rows takes: bytes that are alive, and bytes that move. See row_schedule.h.
#include <algorithm>
#include <numeric>

#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

int64_t RowSchedule::round() const {
  int64_t common = 1;
  for (const StoredRows& rows : stored) common = std::lcm(common, rows.period);
  return common;
}

int64_t RowSchedule::bytes() const {
  std::vector<size_t> last_reader(stored.size(), 0);
  for (size_t reader = 0; reader < stored.size(); ++reader)
    for (size_t i : stored[reader].reads) last_reader[i] = reader;
  int64_t kept = 0, largest = 0;
  for (size_t i = 0; i + 1 < stored.size(); ++i) kept += stored[i].kept_bytes();
  for (size_t made = 0; made < stored.size(); ++made) {
    int64_t working = stored[made].making_bytes;
    for (size_t i = 0; i < made; ++i)
      if (last_reader[i] >= made) working += stored[i].made() * stored[i].row_bytes;
    largest = std::max(largest, working);
  }
  return kept + largest;
}

int64_t RowSchedule::bytes_moved() const {
  // Of several rows some may lie outside: elements are then selected one by one, in the first and
  // the last of the iterations that make rows.
  constexpr int64_t kMasked = 8;
  int64_t bytes = 0;
  for (size_t i = 0; i + 1 < stored.size(); ++i) {
    const StoredRows& s = stored[i];
    bytes += s.kept_bytes() * (iterations / s.period);
    if (s.beyond && s.made() > 1) bytes += 2 * kMasked * s.made() * s.row_bytes;
  }
  return bytes;
}

}  // namespace hlocc::transforms
