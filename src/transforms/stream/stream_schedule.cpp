// An array makes its row as late as its readers allow, so that each iteration of the loop makes a
// row of the entrance where the exit gets a part of one. See stream_schedule.h.
#include "transforms/stream/stream_schedule.h"

#include <algorithm>

namespace hlocc::transforms {

using hlo::Computation;
using hlo::InstructionId;

namespace {

// No array has a row before the entrance's first one, and all rows of the entrance are taken.
RowSchedule from_first_row(RowSchedule rows) {
  StoredRows& entrance = rows.stored.front();
  const StoredRows& exit = rows.stored.back();
  for (const StoredRows& array : rows.stored)
    entrance.lead = std::max(entrance.lead, array.lead * array.period);
  rows.first = -entrance.lead;
  rows.iterations = std::max(entrance.height, (exit.height - 1) * exit.period + 1 - rows.first);
  rows.is_over_entrance = false;
  return rows;
}

}  // namespace

std::optional<RowSchedule> schedule_stream(const hlo::Module& module,
                                           const Computation& computation,
                                           const std::vector<std::vector<InstructionId>>& users,
                                           InstructionId entrance, InstructionId exit,
                                           int64_t dimension) {
  for (int64_t counted = 0; counted < std::max(1, computation[exit].shape.rank()); ++counted) {
    const auto made_in = [&](Iteration iteration) {
      return schedule_rows(module, computation, users, entrance, exit, iteration, counted);
    };
    const std::optional<RowSchedule> by_exit = made_in({});
    if (!by_exit || by_exit->stored.front().dimension != dimension) continue;
    if (auto rows = made_in({.iterations = by_exit->stored.front().rate}))
      return from_first_row(*std::move(rows));
  }
  return std::nullopt;
}

// From the exit to the entrance: which rows of each array the exit is made of.
std::optional<BorderRead> border_read(const RowSchedule& schedule) {
  const std::vector<StoredRows>& arrays = schedule.stored;
  std::vector<RowSpan> needed(arrays.size(), {INT64_MAX, INT64_MIN});
  needed.back() = {0, arrays.back().height - 1};
  std::optional<BorderRead> first;
  for (size_t i = arrays.size(); i-- > 0;) {
    const int64_t last = arrays[i].height - 1;
    if (needed[i].low > needed[i].high) continue;
    if (needed[i].low < 0 || needed[i].high > last)
      first = {i, std::max<int64_t>(0, -needed[i].low),
               std::max<int64_t>(0, needed[i].high - last)};
    const RowSpan inside{std::max<int64_t>(needed[i].low, 0), std::min(needed[i].high, last)};
    for (size_t k = 0; k < arrays[i].taken.size(); ++k) {
      // Row y is made in iteration t = (y - lead) * period.
      const size_t read = arrays[i].reads[k];
      const int64_t stride = arrays[i].period / arrays[read].period;
      const auto beside = [&](int64_t y) { return (y - arrays[i].lead) * stride; };
      needed[read].low = std::min(needed[read].low, beside(inside.low) + arrays[i].taken[k].low);
      needed[read].high =
          std::max(needed[read].high, beside(inside.high) + arrays[i].taken[k].high);
    }
  }
  return first;
}

}  // namespace hlocc::transforms
