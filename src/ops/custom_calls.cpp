// The table of annotations, and TopK's comparator.
#include "ops/custom_calls.h"

#include <algorithm>
#include <iterator>

namespace hlocc::ops {
namespace {

constexpr std::string_view annotations[] = {
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "PinToDevice",
};

}  // namespace

bool is_annotation(std::string_view target) {
  return std::find(std::begin(annotations), std::end(annotations), target) != std::end(annotations);
}

bool wants_largest(const hlo::Module& module, const hlo::Instruction& call) {
  if (call.called.empty()) return true;
  const hlo::Instruction& root = module.computations[call.called[0]].root_instruction();
  if (root.opcode != hlo::Opcode::kCompare) return true;
  const hlo::Direction direction = root.get<hlo::CompareAttributes>().direction;
  return direction == hlo::Direction::kGt || direction == hlo::Direction::kGe;
}

}  // namespace hlocc::ops
