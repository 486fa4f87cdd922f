// See timed_steps.h.
#include "planning/timed_steps.h"

#include "planning/moved_runs.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

// What a step does, for the hash.
struct WhatOfStep {
  const kernel::Program& program;
  std::string operator()(const kernel::Launch& launch) const {
    return cat("launch ", program.kernels[static_cast<size_t>(launch.kernel)].name);
  }
  std::string operator()(const kernel::Copy&) const { return "copy"; }
  std::string operator()(const kernel::Join&) const { return "join"; }
  std::string operator()(const kernel::UserCall& call) const { return cat("call ", call.symbol); }
  std::string operator()(const kernel::Transfer&) const { return "transfer"; }
  std::string operator()(const kernel::Submit& submit) const { return cat("part ", submit.part); }
  std::string operator()(const kernel::Wait&) const { return "wait"; }
  template <typename Edge>
  std::string operator()(const Edge&) const {
    return "";
  }
};

}  // namespace

bool takes_time(const kernel::Step& step, const Plan& plan) {
  if (std::holds_alternative<kernel::WhileStep>(step.what) ||
      std::holds_alternative<kernel::ConditionalStep>(step.what))
    return false;
  if (const auto* join = std::get_if<kernel::Join>(&step.what))
    return !moved_runs(*join, plan.places).empty();
  const auto* copy = std::get_if<kernel::Copy>(&step.what);
  if (copy == nullptr) return true;
  const Place& from = plan.places[static_cast<size_t>(copy->from)];
  const Place& to = plan.places[static_cast<size_t>(copy->to)];
  return from.region != to.region || from.offset != to.offset || from.memory != to.memory;
}

std::vector<const kernel::Step*> timed_steps(const Plan& plan) {
  std::vector<const kernel::Step*> out;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (takes_time(step, plan)) out.push_back(&step);
  });
  return out;
}

std::string steps_hash(const kernel::Program& program, const Plan& plan) {
  std::string text;
  for (const kernel::Step* step : timed_steps(plan))
    text +=
        cat(std::visit(WhatOfStep{program}, step->what), ": ", join(step->origin.hlo, ", "), "\n");
  return sha256(text).substr(0, 16);
}

std::string profile_identity(const kernel::Program& program, const Plan& plan,
                             const Target& target) {
  std::string name = program.signature.prefix;
  while (name.ends_with('_')) name.pop_back();
  return cat(name, " ", target.name.empty() ? "unnamed" : target.name, " ",
             level_name(target.options.level), " ", steps_hash(program, plan));
}

}  // namespace hlocc::planning
