// Which instructions of one computation go together; fuse.cpp builds the fusions.
#pragma once
#include <vector>

#include "hlo/module.h"
#include "target/target.h"

namespace hlocc::transforms {

struct FusionGroup {
  // The only member that others outside use, but for the others among several results
  // (fuse_results.h).
  hlo::InstructionId root = hlo::kNone;
  hlo::InstructionId hero = hlo::kNone;  // the loop op, if there is one
  std::vector<hlo::InstructionId> members;
  hlo::Schedule schedule = hlo::Schedule::kPlain;
  // Of a serpentine group: the loop's counter, the last input of the fusion.
  hlo::InstructionId counter = hlo::kNone;
  // Of a group with several results, those beside the root; in the order of their ids, which are
  // higher than the root's.
  std::vector<hlo::InstructionId> more_roots;
  // Instructions for an element, roughly: what bounds a group while it grows.
  int cost = 0;

  std::vector<hlo::InstructionId> roots() const {
    std::vector<hlo::InstructionId> all{root};
    all.insert(all.end(), more_roots.begin(), more_roots.end());
    return all;
  }
};

struct FusionPlan {
  std::vector<FusionGroup> groups;
  // Group of each instruction; kNone for those that are no kernel or that every user computes for
  // itself.
  std::vector<int> group_of;
  // Instructions that are computed again in every group that uses them: constants of one element,
  // broadcasts of those, cheap formulas on indices, conversions to larger elements.
  std::vector<bool> duplicated;

  // Drops groups that others have taken over, and makes group_of say where the rest stand.
  void number_groups();
};

FusionPlan plan_fusion(const hlo::Computation& computation, const hlo::Module& module,
                       const Target& target);

}  // namespace hlocc::transforms
