// See fuse_epilogue.h.
#include "transforms/fusion/fuse_epilogue.h"

#include <algorithm>
#include <optional>
#include <set>

#include "ops/op_cost.h"
#include "ops/same_element.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;

namespace {

// One instruction behind a contraction, what it alone reads, and broadcasts that others read too.
struct EpilogueStep {
  InstructionId user = kNone;
  std::vector<InstructionId> moved, copied;
};

// Instructions between a value that several read and where they meet.
constexpr size_t kMostBetween = 40;

class EpilogueSplitter {
 public:
  EpilogueSplitter(const Computation& c, const std::vector<std::vector<InstructionId>>& users,
                   InstructionId contraction, int from, FusionPlan& plan)
      : c_(c), users_(users), contraction_(contraction), from_(from), plan_(plan) {}

  void run() {
    const int to = static_cast<int>(plan_.groups.size());
    plan_.groups.push_back({contraction_, contraction_, {contraction_}});
    plan_.group_of[contraction_] = to;
    const std::vector<EpilogueStep> steps = chain();
    size_t count = steps_to_smallest(steps);
    if (count == 0)
      while (count < steps.size() && is_short(steps[count])) ++count;
    for (size_t n = 0; n < count; ++n) {
      for (InstructionId id : steps[n].moved) {
        leave(id, to);
        plan_.groups[to].members.push_back(id);
      }
      for (InstructionId id : steps[n].copied) {
        leave(id, kNone);
        plan_.duplicated[id] = true;
      }
      plan_.groups[to].root = steps[n].user;
    }
  }

 private:
  void leave(InstructionId id, int to) {
    std::erase(plan_.groups[from_].members, id);
    plan_.group_of[id] = to;
  }

  // All that may move.
  std::vector<EpilogueStep> chain() const {
    std::vector<EpilogueStep> steps;
    InstructionId last = contraction_;
    while (std::optional<EpilogueStep> step = next(last)) {
      last = step->user;
      steps.push_back(std::move(*step));
    }
    return steps;
  }

  std::optional<EpilogueStep> next(InstructionId last) const {
    std::vector<InstructionId> meeting = meet(last);
    if (meeting.empty()) return std::nullopt;
    EpilogueStep step{meeting[0], std::move(meeting), {}};
    for (size_t n = 0; n < step.moved.size(); ++n)
      for (InstructionId operand : c_[step.moved[n]].operands) {
        if (operand == last || plan_.group_of[operand] != from_ || has(step.moved, operand))
          continue;
        if (is_read_by(step.moved, operand)) {
          step.moved.push_back(operand);
        } else if (is_broadcast_of_memory(operand)) {
          step.copied.push_back(operand);
        } else {
          return std::nullopt;
        }
      }
    return step;
  }
  // Where everything that reads `last` comes together again, and before it what lies between;
  // nothing if some of it may not move.
  std::vector<InstructionId> meet(InstructionId last) const {
    std::set<InstructionId> open(users_[last].begin(), users_[last].end());
    std::vector<InstructionId> meeting{kNone};
    while (!open.empty() && meeting.size() <= kMostBetween) {
      const InstructionId first = *open.begin();
      open.erase(open.begin());
      if (plan_.groups[from_].root == first || !ops::is_elementwise(c_, c_[first]) ||
          c_[first].shape.dimensions != c_[contraction_].shape.dimensions)
        return {};
      if (open.empty()) {
        meeting[0] = first;
        return meeting;
      }
      meeting.push_back(first);
      open.insert(users_[first].begin(), users_[first].end());
    }
    return {};
  }
  static bool has(const std::vector<InstructionId>& some, InstructionId id) {
    return std::find(some.begin(), some.end(), id) != some.end();
  }
  // Broadcasts and arithmetic of what comes from elsewhere, for those only.
  bool is_read_by(const std::vector<InstructionId>& some, InstructionId id) const {
    return (c_[id].opcode == Opcode::kBroadcast || ops::is_elementwise(c_, c_[id])) &&
           std::all_of(users_[id].begin(), users_[id].end(),
                       [&](InstructionId user) { return has(some, user); });
  }
  bool is_broadcast_of_memory(InstructionId id) const {
    return c_[id].opcode == Opcode::kBroadcast && plan_.group_of[c_[id].operands[0]] != from_;
  }

  // Steps up to the last that makes smaller elements than the contraction and all steps before.
  size_t steps_to_smallest(const std::vector<EpilogueStep>& steps) const {
    int64_t least = bytes(contraction_);
    size_t count = 0;
    for (size_t n = 0; n < steps.size(); ++n) {
      if (bytes(steps[n].user) >= least) continue;
      least = bytes(steps[n].user);
      count = n + 1;
    }
    return count;
  }
  bool is_short(const EpilogueStep& step) const {
    return bytes(step.user) <= bytes(contraction_) && step.copied.empty() &&
           ops::instructions_per_element(c_[step.user]) <= 1 &&
           std::all_of(step.moved.begin() + 1, step.moved.end(),
                       [&](InstructionId id) { return c_[id].opcode == Opcode::kBroadcast; });
  }
  int64_t bytes(InstructionId id) const { return hlo::storage_bytes(c_[id].shape.element_type); }

  const Computation& c_;
  const std::vector<std::vector<InstructionId>>& users_;
  const InstructionId contraction_;
  const int from_;
  FusionPlan& plan_;
};

}  // namespace

void split_epilogue(const Computation& computation,
                    const std::vector<std::vector<InstructionId>>& users, InstructionId id,
                    int from, FusionPlan& plan) {
  EpilogueSplitter(computation, users, id, from, plan).run();
}

bool is_cheap_widening(const Computation& computation, InstructionId id, const Target& target) {
  const Instruction& i = computation[id];
  if (i.opcode != Opcode::kConvert) return false;
  const hlo::PrimitiveType from = computation.operand(i, 0).shape.element_type,
                           to = i.shape.element_type;
  if (hlo::storage_bytes(from) >= hlo::storage_bytes(to) || hlo::storage_bytes(to) > 4)
    return false;
  if (from == hlo::PrimitiveType::kBF16) return to == hlo::PrimitiveType::kF32;
  if (from == hlo::PrimitiveType::kF16)
    return to == hlo::PrimitiveType::kF32 && target.f16_conversion;
  const bool integer = from == hlo::PrimitiveType::kPred || hlo::is_integer(from);
  return integer && (hlo::is_integer(to) || (to == hlo::PrimitiveType::kF32 && target.f32_unit));
}

}  // namespace hlocc::transforms
