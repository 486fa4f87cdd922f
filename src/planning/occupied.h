// The bytes and times that are taken while blocks are placed one after the other.
#pragma once
#include <vector>

#include "planning/pack.h"

namespace hlocc::planning {

// True if some time lies in both.
bool are_together(const Intervals& a, const Intervals& b);

class Occupied {
 public:
  // The lowest base from `base` on, in steps of the item's alignment, at which it shares no byte
  // with anything placed that is alive together with it. `base` is such a step.
  int64_t lowest_free(const Item& item, int64_t base) const;
  // The item must outlive this.
  void add(const Item& item, int64_t base);

 private:
  struct Part {
    int64_t begin, end;      // bytes
    Interval span;           // from its first time to its last
    const Intervals* times;  // null if that is all of the span
  };
  // Parts beside one another, in the order of their first bytes, and what is true of all: many are
  // passed at once where all of them are in the way.
  struct Run {
    std::vector<Part> parts;
    int64_t end = 0;         // of the part that reaches furthest
    int64_t widest_gap = 0;  // bytes between parts that none of them takes
    Interval any, all;       // the times that some part takes; those that each of them takes
    bool plain = true;       // each is alive once
  };
  static Part part_of(const Rectangle& rectangle, int64_t base);
  static bool are_together(const Part& a, const Part& b);
  static void describe(Run& run);
  static bool is_wall(const Run& run, const Part& part);
  void add(const Part& part);
  int64_t lowest_of_one(const Part& part, int64_t alignment) const;

  std::vector<Run> runs_;  // in the order of their first bytes
};

}  // namespace hlocc::planning
