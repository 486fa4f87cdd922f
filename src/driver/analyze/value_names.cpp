// See value_names.h.
#include "driver/analyze/value_names.h"

#include "planning/step_values.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string leaf_name(const kernel::Signature& signature, const kernel::ProgramValue& value) {
  const std::string& name = signature.arguments[static_cast<size_t>(value.leaf)].name;
  return name.empty() ? value.name : name;
}

// A launch's operands behind those of the kernel are its scratch in the arena.
std::string scratch_name(const kernel::Program& program, const kernel::Launch& launch, size_t at) {
  const kernel::Kernel& kernel = program.kernels[static_cast<size_t>(launch.kernel)];
  const size_t scratch = static_cast<size_t>(kernel.operand_buffers());
  if (at < scratch) return "";
  return cat(" (scratch ", kernel::arena_scratch(kernel, launch)[at - scratch].name, ")");
}

}  // namespace

std::vector<std::string> value_names(const kernel::Program& program, const planning::Plan& plan) {
  std::vector<std::string> names(plan.values.size());
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (step.origin.layer.empty()) return;
    for (const planning::Id id : planning::writes_of(step, program.kernels))
      if (names[static_cast<size_t>(id)].empty())
        names[static_cast<size_t>(id)] = step.origin.layer;
    const auto* launch = std::get_if<kernel::Launch>(&step.what);
    for (size_t i = 0; launch != nullptr && i < launch->operands.size(); ++i)
      if (const std::string scratch = scratch_name(program, *launch, i); !scratch.empty())
        names[static_cast<size_t>(launch->operands[i])] = step.origin.layer + scratch;
  });
  for (size_t id = 0; id < names.size(); ++id) {
    const kernel::ProgramValue& value = plan.values[id];
    if (value.leaf != kernel::kNone)
      names[id] = leaf_name(program.signature, value);
    else if (names[id].empty())
      names[id] = value.name;
  }
  return names;
}

}  // namespace hlocc::driver
