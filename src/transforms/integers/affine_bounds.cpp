// See affine_bounds.h. Both slopes are found by halving, along the growth of the room.
#include "transforms/integers/affine_bounds.h"

namespace hlocc::transforms {
namespace {

constexpr int kHalvings = 28;
constexpr double kRadius = 0.02;  // of the slopes that are searched

}  // namespace

Room AffineBounds::room(double first, double second) const {
  Room room;
  compared_ += static_cast<int64_t>(least.size() + most.size());
  double highest = -std::numeric_limits<double>::infinity(), lowest = -highest;
  for (const Bound2& bound : least)
    if (const double at = bound.at(first, second); at > highest) highest = at, room.least = bound;
  for (const Bound2& bound : most)
    if (const double at = bound.at(first, second); at < lowest) lowest = at, room.most = bound;
  room.room = lowest - highest;
  return room;
}

Slopes AffineBounds::best_second(double first, double& growth) const {
  double low = b - kRadius, high = b + kRadius;
  Room below = room(first, low), above = room(first, high);
  for (int n = 0; n < kHalvings; ++n) {
    const double second = (low + high) / 2;
    const Room here = room(first, second);
    (here.by_second() > 0 ? low : high) = second;
    (here.by_second() > 0 ? below : above) = here;
  }
  const double rise = below.by_second(), fall = -above.by_second();
  growth = rise + fall > 0 ? (below.by_first() * fall + above.by_first() * rise) / (rise + fall)
                           : below.by_first();
  const bool is_above = above.room > below.room;
  return {first,
          is_above ? high : low,
          is_above ? above.room : below.room,
          {below.least, below.most, above.least, above.most}};
}

Slopes AffineBounds::best() const {
  double low = a - kRadius, high = a + kRadius, growth = 0;
  Slopes below = best_second(low, growth), above = best_second(high, growth);
  for (int n = 0; n < kHalvings; ++n) {
    const Slopes here = best_second((low + high) / 2, growth);
    (growth > 0 ? low : high) = here.a;
    (growth > 0 ? below : above) = here;
  }
  Slopes best = below.room > above.room ? below : above;
  for (const Slopes* side : {&below, &above})
    best.in_the_way.insert(best.in_the_way.end(), side->in_the_way.begin(), side->in_the_way.end());
  return best;
}

}  // namespace hlocc::transforms
