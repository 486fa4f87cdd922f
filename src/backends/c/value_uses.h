// Where the values of a kernel are defined and used. What nothing that is written depends on is
// no use.
#pragma once
#include <vector>

#include "kernel/kernel.h"

namespace hlocc::backends {

class ValueUses {
 public:
  explicit ValueUses(const kernel::Kernel& kernel);

  // Whether nothing needs what the op computes, and it does nothing else.
  bool is_dead(const kernel::Op& op) const;
  int count(kernel::ValueId id) const { return rows_[static_cast<size_t>(id)].count; }
  // Used once, in the region that defines it, and not as a bound that a loop asks every time.
  bool moves_to_use(kernel::ValueId id) const;
  // The same, and no store, loop or branch stands between the two.
  bool memory_stays_until_use(kernel::ValueId id) const;

 private:
  struct Row {
    int count = 0;
    int defined_in = -1, used_in = -2;      // regions, numbered as they are met
    int defined_after = 0, used_after = 0;  // ops of that region that may write
  };
  void need(const kernel::Affine& affine);
  void find_needed(const kernel::Region& region);
  void visit(const kernel::Region& region);
  void use(kernel::ValueId id, int region, int writes);
  void use(const kernel::Affine& affine, int region, int writes);

  std::vector<bool> needed_;
  std::vector<Row> rows_;
  int regions_ = 0;
};

}  // namespace hlocc::backends
