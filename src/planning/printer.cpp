// The text of a plan: the sums, the place of each value in the order of offsets, and the steps.
#include <algorithm>
#include <tuple>

#include "planning/plan.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

constexpr std::string_view region_names[] = {"arena", "state", "constant"};

}  // namespace

std::string to_text(const Plan& plan) {
  std::string out =
      cat("plan arena ", plan.arena_bytes, " (alive at the worst step ", plan.live_set_bound,
          ") align ", plan.arena_align, ", state ", plan.state_bytes, ", constants ",
          plan.constant_bytes, ", copies ", plan.copies, ", in loops ", plan.copies_in_loops, "\n");
  for (const ArenaPiece& piece : plan.pieces)
    out += cat("piece ", piece.name, ": from ", piece.begin, ", ", piece.bytes, " of ", piece.room,
               " bytes\n");
  for (const KeptConstant& kept : plan.kept)
    out += cat("kept: ", kept.bytes, " bytes of constants from ", kept.from, " at ", kept.to, "\n");
  for (size_t m = 0; m < plan.memories.size(); ++m)
    out += cat("memory ", m + 1, ": ", plan.memories[m].bytes, " align ", plan.memories[m].align,
               "\n");
  std::vector<size_t> order;
  for (size_t i = 0; i < plan.places.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](size_t i) {
    const Place& place = plan.places[i];
    return std::tuple(place.memory, place.region, place.offset);
  });
  for (const size_t i : order) {
    const Place& place = plan.places[i];
    out += cat("  ",
               place.memory == 0 ? std::string(region_names[static_cast<int>(place.region)])
                                 : cat("memory ", place.memory),
               " ", place.offset, " .. ", place.offset + place.bytes, "  ", i, " ",
               for_line(plan.values[i].name), "\n");
  }
  return out + kernel::to_text(plan.steps, {}, plan.values);
}

}  // namespace hlocc::planning
