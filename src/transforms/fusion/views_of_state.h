// Views of what lies in one place for the whole run, state and constants: a dot reads them where
// they lie, and nothing lives longer for it.
#pragma once
#include <optional>
#include <set>

#include "hlo/module.h"
#include "target/target.h"

namespace hlocc::transforms {

class ViewsOfState {
 public:
  ViewsOfState(const hlo::Module& module, const hlo::Computation& computation)
      : module_(module), c_(computation) {}

  // A view of a value in state, or of a constant at a place that is not known.
  bool contain(hlo::InstructionId id) const;

 private:
  const hlo::Module& module_;
  const hlo::Computation& c_;
  mutable std::optional<std::set<hlo::InstructionId>>
      in_state_;  // found when it is first asked for
};

// `id` is the right side of a dot whose few rows read it once each.
bool is_right_of_few_rows(const hlo::Instruction& dot, hlo::InstructionId id, const Target& target);

}  // namespace hlocc::transforms
