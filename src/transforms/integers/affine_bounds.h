// Bounds of an affine form a * x + b * y + c from below and from above, and the slopes a and b that
// leave most room for c between them. The room is concave in the slopes.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace hlocc::transforms {

// a * x + b * y + c >= value, or < value.
struct Bound2 {
  int64_t x, y, value;
  double at(double a, double b) const {
    return static_cast<double>(value) - a * static_cast<double>(x) - b * static_cast<double>(y);
  }
};

// Room for c between the highest lower bound and the lowest upper one.
struct Room {
  double room = std::numeric_limits<double>::infinity();
  Bound2 least, most;
  // How it grows with b, and with a.
  double by_second() const { return static_cast<double>(least.y - most.y); }
  double by_first() const { return static_cast<double>(least.x - most.x); }
};

// `in_the_way`: the bounds that keep the room from being larger.
struct Slopes {
  double a = 0, b = 0, room = 0;
  std::vector<Bound2> in_the_way;
};

struct AffineBounds {
  std::vector<Bound2> least, most;
  double a = 0, b = 0;  // slopes that are near the best ones: the search goes around them

  Room room(double first, double second) const;
  // The b that leaves most room at `first`; `growth` gets how that grows with a.
  Slopes best_second(double first, double& growth) const;
  Slopes best() const;
  template <typename Predicate>
  void erase_if(const Predicate& predicate) {
    std::erase_if(least, predicate);
    std::erase_if(most, predicate);
  }
  // How many bounds were looked at so far.
  int64_t compared() const { return compared_; }

 private:
  mutable int64_t compared_ = 0;
};

}  // namespace hlocc::transforms
