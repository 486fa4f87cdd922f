// A draft: a program on its way to becoming a plan. Every place where a program only names a value
// and bytes may have to move (the edges of a while, a conditional's yields, an update, state,
// results) has become an explicit copy to a fresh value, and what must then share a place is
// written down as pairs. Such a draft is always right, whatever interferes; the merger removes the
// copies that are not needed.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "kernel/program.h"
#include "planning/step_values.h"

namespace hlocc::planning {

struct Draft {
  const kernel::Program* program = nullptr;
  std::vector<kernel::ProgramValue> values;
  kernel::Steps steps;
  std::vector<Id> copy_of;  // by value: what it is a copy of, or kNone
  // By value that a join makes: the runs of bytes that it is made of, of values that none makes.
  std::map<Id, std::vector<kernel::Join::Run>> joined;
  std::vector<std::pair<Id, Id>> together;  // values that must lie in one place
  std::vector<Id> finals;                   // by result leaf: the value whose place is the result's
  std::vector<bool> scratch;                // by value: arena scratch of one launch

  // The value that all copies of it equal.
  Id root(Id value) const {
    while (copy_of[static_cast<size_t>(value)] != kNone)
      value = copy_of[static_cast<size_t>(value)];
    return value;
  }
  // What bytes of a value are, as runs of values that neither a copy nor a join makes.
  std::vector<kernel::Join::Run> runs_of(Id value, int64_t offset, int64_t bytes) const;
  const kernel::ProgramValue& value(Id id) const { return values[static_cast<size_t>(id)]; }
};

// The program with its steps in the order of `steps`, copies and scratch put in.
Draft insert_copies(const kernel::Program& program, const kernel::Steps& steps);

// The state value that result leaf `leaf` is donated to, or kNone.
Id donated_state(const kernel::Program& program, int leaf);

}  // namespace hlocc::planning
