// A part that lies in its value costs nothing, and what it leaves over is free as soon as the last
// of the other readers is done: so it is taken first of all, in each list of steps.
#include "planning/early_parts.h"

#include <algorithm>
#include <map>
#include <set>

namespace hlocc::planning {
namespace {

using namespace kernel;

bool is_part(const Step& step) {
  const auto* join = std::get_if<Join>(&step.what);
  return join != nullptr && join->runs.size() == 1;
}

// One list.
class EarlyParts {
 public:
  EarlyParts(Steps steps, const std::vector<Kernel>& kernels) : kernels_(kernels) {
    std::set<Id> made;
    for (const Step& step : steps)
      for (const Id id : writes_of(step, kernels)) made.insert(id);
    Steps others;
    for (Step& step : steps) {
      if (!is_part(step)) {
        others.push_back(std::move(step));
        continue;
      }
      const Id from = std::get<Join>(step.what).runs[0].from;
      (made.contains(from) ? parts_[from] : of_others_).push_back(std::move(step));
    }
    for (Step& step : of_others_) add(std::move(step));
    for (Step& step : others) add(std::move(step));
  }
  Steps take() { return std::move(out_); }

 private:
  void add(Step step) {
    const std::vector<Id> made = writes_of(step, kernels_);
    out_.push_back(std::move(step));
    for (const Id id : made) {
      const auto found = parts_.find(id);
      if (found == parts_.end()) continue;
      Steps taken = std::move(found->second);
      parts_.erase(found);
      for (Step& part : taken) add(std::move(part));
    }
  }

  const std::vector<Kernel>& kernels_;
  std::map<Id, Steps> parts_;  // by the value that they are of, which a step of the list makes
  Steps of_others_;            // of values from outside
  Steps out_;
};

}  // namespace

Steps with_early_parts(Steps steps, const std::vector<Kernel>& kernels) {
  for (Step& step : steps) {
    if (auto* loop = std::get_if<WhileStep>(&step.what)) {
      loop->condition = with_early_parts(std::move(loop->condition), kernels);
      loop->body = with_early_parts(std::move(loop->body), kernels);
    }
    if (auto* choice = std::get_if<ConditionalStep>(&step.what))
      for (Steps& branch : choice->branches) branch = with_early_parts(std::move(branch), kernels);
  }
  return std::ranges::any_of(steps, is_part) ? EarlyParts(std::move(steps), kernels).take()
                                             : std::move(steps);
}

}  // namespace hlocc::planning
