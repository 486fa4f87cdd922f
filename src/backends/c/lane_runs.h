// Which ops on vectors stand together in one loop over lanes. Inside of it one lane does all of
// them before the next begins, which must not be seen in memory.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "kernel/kernel.h"

namespace hlocc::backends {

class LaneRuns {
 public:
  // unshared: by BufferId, whether the buffer overlaps no other of which one is written.
  // apart: of ops that stand by themselves, because they work on words or whole vectors.
  using Apart = std::function<bool(const kernel::Op&)>;
  LaneRuns(
      const kernel::Kernel& kernel, std::vector<bool> unshared,
      const Apart& apart = [](const kernel::Op&) { return false; });

  // Ops of one number share a loop; those on scalars among them stand in front of it.
  int run_of(const kernel::Op& op) const { return run_of_.at(&op); }
  // Whether the vector is needed outside of the loop that computes it.
  bool escapes(kernel::ValueId id) const { return escapes_[static_cast<size_t>(id)]; }

 private:
  struct Run {
    int number = 0, lanes = 0;
    std::vector<const kernel::Access*> loads, stores;
  };
  void visit(const kernel::Region& region, const Apart& apart);
  void place(const kernel::Op& op);
  void close() { run_ = {++last_}; }
  bool may_meet(const kernel::Access& store, const kernel::Access& other) const;
  void use(kernel::ValueId id, int run);

  const kernel::Kernel& kernel_;
  const std::vector<bool> unshared_;
  std::map<const kernel::Op*, int> run_of_;
  std::vector<int> defined_in_;
  std::vector<bool> escapes_;
  Run run_;
  int last_ = 0;
};

// One lane of the result depends on that lane of the operands alone: arithmetic, loads, stores.
bool is_lane_wise(const kernel::Kernel& kernel, const kernel::Op& op);
// The vector is the same text for each lane, or of the lane's number: it takes no statement.
bool is_free(const kernel::Kernel& kernel, const kernel::Op& op);

}  // namespace hlocc::backends
