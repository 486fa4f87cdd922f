// Which instructions of one computation go together; fuse.cpp builds the fusions.
#pragma once
#include <vector>

#include "hlo/module.h"
#include "target/target.h"

namespace hlocc::transforms {

struct FusionGroup {
  hlo::InstructionId root = hlo::kNone;  // the only member that others outside use
  hlo::InstructionId hero = hlo::kNone;  // the loop op, if there is one
  std::vector<hlo::InstructionId> members;
  // The schedule of the fusion; "" is the plain one.
  const char* schedule = "";
  // For the schedule "zigzag": the loop's counter, the last input of the fusion.
  hlo::InstructionId counter = hlo::kNone;
};

struct FusionPlan {
  std::vector<FusionGroup> groups;
  // Group of each instruction; kNone for those that are no kernel or that every user computes for itself.
  std::vector<int> group_of;
  // Instructions that are computed again in every group that uses them: constants of one element, broadcasts of
  // those, cheap formulas on indices.
  std::vector<bool> duplicated;
};

FusionPlan plan_fusion(const hlo::Computation& computation, const hlo::Module& module, const Target& target);

}  // namespace hlocc::transforms
