// See run_checks.h.
#include "backends/common/run_checks.h"

#include <span>

#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::ProgramValueId;

Status check_same_place(const planning::Plan& plan, std::span<const ProgramValueId> from,
                        std::span<const ProgramValueId> to, const char* what) {
  for (size_t i = 0; i < from.size(); ++i) {
    const bool empty = plan.values[to[i]].bytes() == 0;
    if (!empty && !in_one_place(plan, from[i], to[i]))
      return error(DiagnosticKind::kInternal,
                   cat("the plan keeps ", plan.values[from[i]].name, " and ",
                       plan.values[to[i]].name, " of a ", what, " in different places"));
  }
  return {};
}

Status check_step(const planning::Plan& plan, const kernel::Step& step) {
  if (const auto* loop = std::get_if<kernel::WhileStep>(&step.what)) {
    HLOCC_TRY(check_same_place(plan, loop->initial, loop->carried, "while"));
    HLOCC_TRY(check_same_place(plan, loop->next, loop->carried, "while"));
    return check_same_place(plan, loop->carried, loop->result, "while");
  }
  if (const auto* choice = std::get_if<kernel::ConditionalStep>(&step.what))
    for (const std::vector<ProgramValueId>& yields : choice->yields)
      HLOCC_TRY(check_same_place(plan, yields, choice->results, "conditional"));
  return {};
}

}  // namespace

bool in_one_place(const planning::Plan& plan, ProgramValueId a, ProgramValueId b) {
  const planning::Place &one = plan.places[a], &other = plan.places[b];
  return one.memory == other.memory && one.region == other.region && one.offset == other.offset;
}

Status check_bindings(const planning::Plan& plan) {
  Status first;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (first.ok()) first = check_step(plan, step);
  });
  return first;
}

CopyNeed need_of(const kernel::Copy& copy, const planning::Plan& plan) {
  if (plan.values[copy.from].bytes() == 0) return CopyNeed::kNever;
  if (!in_one_place(plan, copy.from, copy.to)) return CopyNeed::kAlways;
  return plan.values[copy.from].role == kernel::ValueRole::kArgument ? CopyNeed::kUnlessHome
                                                                     : CopyNeed::kNever;
}

std::vector<std::string> user_symbols(const planning::Plan& plan) {
  std::vector<std::string> symbols;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (const auto* call = std::get_if<kernel::UserCall>(&step.what))
      symbols.push_back(call->symbol);
  });
  return symbols;
}

bool has_ranges(const planning::Plan& plan) {
  bool found = false;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    found |= launch != nullptr && launch->ranges > 1;
  });
  return found;
}

}  // namespace hlocc::backends
