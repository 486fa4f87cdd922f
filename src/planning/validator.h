// The validator's class, shared by its files: validator.cpp asks where values and leaves lie,
// validator_steps.cpp replays the steps, validator_loops.cpp loops and branches.
#pragma once
#include <map>
#include <set>

#include "planning/byte_map.h"
#include "planning/plan.h"
#include "planning/step_values.h"

namespace hlocc::planning {

class Validator {
 public:
  Validator(const kernel::Program& program, const Plan& plan, bool callers_arguments);
  Status run();

 private:
  struct Range {
    int region;
    int64_t offset, bytes;
    bool overlaps(const Range& o) const {
      return region == o.region && offset < o.offset + o.bytes && o.offset < offset + bytes;
    }
    bool operator==(const Range&) const = default;
  };
  static constexpr int kConstants = -1;
  // What a queue has been given and no step has waited for yet.
  struct InFlight {
    int queue;
    Range range;
    bool written;
    Id value;
  };
  // By region: 0 arena, 1 state, 2 + leaf: an argument that the caller brought, -1 - m: memory m.
  struct Memory {
    std::map<int, ByteMap> regions;
    void intersect(const Memory& other);
    void clear_owners(const std::set<Id>& ids);
    bool operator==(const Memory&) const = default;
  };
  // A loop that was replayed: what it found and what it left.
  struct Replayed {
    Memory found, left;
  };

  Diagnostic fail(const std::string& what) const;
  std::string name(Id id) const;

  // --- what the plan says ---
  bool known(Id id) const { return id >= 0 && id < static_cast<Id>(plan_.places.size()); }
  Range range(const Place& place) const;
  Range range(Id id) const;
  // Copies are the value that they copy.
  Id canonical(Id id) const;
  // A joined value is the bytes that it is made of.
  using Run = kernel::Join::Run;
  std::vector<Run> bytes_of(const Run& run) const;
  Status places() const;
  // What lies in the pieces of several memories (validator_pieces.cpp).
  Status pieces() const;
  Status kept() const;
  // Writes the pool element by element and reads it back, bytes and widths both.
  Status constants() const;

  // --- memory ---
  void write(const Range& range, Id owner);
  // Only queue_ is at work with these bytes; for reading: writes them.
  Status untouched(const Range& range, bool reading) const;
  // They are values; only transfers and devices reach other memories.
  Status at_home(const std::vector<Id>& ids) const;
  // The bytes that plan value `id` names must be those of program value `wanted`.
  Status expect(Id id, Id wanted);
  Status expect(const Range& range, Id wanted);
  // Some of its bytes.
  Status expect(const Range& range, const Run& wanted);

  // --- steps ---
  // Steps are recognised by what they define; state that is changed in place keeps its order.
  using Key = std::vector<Id>;
  Key key(const kernel::Step& step) const;
  // Copies are the planner's affair: they hand on whatever they find, and readers see whether it is
  // right.
  Status block(const kernel::Steps& planned, const kernel::Steps& given);
  Status replay(const kernel::Copy& copy, const kernel::Copy&);
  Status replay(const kernel::Join& planned, const kernel::Join& given);
  Status replay(const kernel::Launch& planned, const kernel::Launch& given);
  Status replay(const kernel::UserCall& planned, const kernel::UserCall& given);
  Status replay(const kernel::Transfer& planned, const kernel::Transfer& given);
  Status replay(const kernel::Submit& planned, const kernel::Submit& given);
  Status replay(const kernel::Wait& planned, const kernel::Wait&);
  Status written_by_queue(Id place, Id value);
  // In a list of steps inside a loop or a branch no queue is used that works for a list outside.
  Status queue_is_free(int queue) const;
  Status replay(const kernel::WhileStep& planned, const kernel::WhileStep& given);
  Status iterations(const kernel::WhileStep& planned, const kernel::WhileStep& given);
  Status replay(const kernel::ConditionalStep& planned, const kernel::ConditionalStep& given);
  Status update(const kernel::Launch& planned, const kernel::Launch& given, size_t u);
  // State that is changed in place must still be there.
  Status persistent(const kernel::Launch& planned, const kernel::Launch& given);
  Status apart(const kernel::Launch& planned, const kernel::Launch& given,
               const kernel::Kernel& kernel);
  std::set<Id> defined_in(const kernel::Steps& steps) const;
  Status same_place(Id a, Id b) const;
  // All values are handed on at once: first all are checked, then the old names go, then the new
  // ones are written.
  Status hand_on(const std::vector<Id>& places, const std::vector<Id>& wanted,
                 const std::vector<Id>& names, const std::set<Id>& stale);

  // --- the end ---
  Status leaves();
  Status results_apart() const;
  Status donation(size_t result, const Range& place);

  const kernel::Program& program_;
  const Plan& plan_;
  bool callers_;
  std::map<Id, Id> copy_of_;
  std::map<Id, std::vector<Run>> joined_;
  std::map<Id, int> reads_;  // how many steps and leaves read it
  std::set<Id> touched_;     // by the steps of the plan
  std::set<Id> donated_;
  Memory memory_;
  std::map<const kernel::WhileStep*, std::vector<Replayed>> replayed_;
  std::vector<InFlight> in_flight_;
  size_t outside_ = 0;  // so many of them were begun outside of this list of steps
  static constexpr int kNobodys = -1;
  int queue_ = kNobodys;  // whose step is being replayed
  const kernel::Origin* origin_ = nullptr;
};

}  // namespace hlocc::planning
