// When each value of a draft needs its bytes. The tree of steps becomes a list of nodes in tree
// order with the edges along which control may go; a backward analysis over them finds what is
// alive, and each value gets the list of times at which its memory is taken.
//
// Node n has two times: 2n, while it reads and writes, and 2n+1, when it is done. What it reads is
// taken at 2n at least, what it writes at both. So a result never shares memory with an operand,
// unless a permit says so.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "planning/draft.h"
#include "target/target.h"

namespace hlocc::planning {

// At time `time` the result may lie over the operand if offset(result) <= offset(operand) - ahead;
// exact: at the same offset.
struct Permit {
  int time = 0;
  int64_t ahead = 0;
  bool exact = false;
};

// Half-open, sorted, apart from one another.
struct Interval {
  int begin = 0, end = 0;
};
using Intervals = std::vector<Interval>;

struct Liveness {
  std::vector<Intervals> taken;                              // by value
  std::map<std::pair<Id, Id>, std::vector<Permit>> permits;  // (operand, result)
  // Copies that a step does: (from, to, depth of loops around).
  struct Move {
    Id from, to;
    int depth;
  };
  std::vector<Move> moves;
  // A join needs nothing done for a value that lies so many bytes before `to`.
  struct Part {
    Id from, to;
    int64_t distance;
    int depth;
  };
  std::vector<Part> parts;
  // Pairs that a launch lets overlap.
  struct InPlace {
    Id operand, result;
    int64_t ahead;
    int depth;
  };
  std::vector<InPlace> in_place;
  int times = 0;
};

Liveness analyse(const Draft& draft, const Target& target);

// The times that both take, but for those of `except`.
bool meet(const Intervals& a, const Intervals& b, const std::vector<int>& except);

}  // namespace hlocc::planning
