// See executions.h.
#include "costs/executions.h"

#include <algorithm>
#include <vector>

#include "hlo/literal.h"

namespace hlocc::costs {
namespace {

// The root of a computation compares with it; it may do so in a fusion, which may be handed it.
const hlo::Instruction* compared_with(const hlo::Module& module, const hlo::Computation& c) {
  const hlo::Instruction& root = c.root_instruction();
  if (root.opcode == hlo::Opcode::kCompare) return &c.operand(root, 1);
  if (root.opcode != hlo::Opcode::kFusion) return nullptr;
  const hlo::Computation& body = module.computations[root.called[0]];
  const hlo::Instruction* limit = compared_with(module, body);
  for (size_t k = 0; k < body.parameters.size(); ++k)
    if (limit == &body[body.parameters[k]]) return &c.operand(root, static_cast<int>(k));
  return limit;
}

// Counters of loops that passes make begin at zero and go up by one.
int64_t iterations_of(const hlo::Module& module, const hlo::Instruction& loop) {
  const hlo::Instruction* limit = compared_with(module, module.computations[loop.called[1]]);
  if (limit == nullptr || limit->opcode != hlo::Opcode::kConstant ||
      !hlo::is_integer(limit->shape.element_type))
    return 1;
  return std::max<int64_t>(1, hlo::integer_at(limit->get<hlo::ConstantAttributes>().value, 0));
}

}  // namespace

double executions(const hlo::Module& module, const hlo::Computation& computation) {
  if (&computation == &module.entry_computation()) return 1;
  // Callees stand before callers: all calls of a computation are counted when it is met.
  std::vector<double> counts(module.computations.size());
  counts[static_cast<size_t>(module.entry)] = 1;
  for (size_t c = counts.size(); c-- > 0 && &module.computations[c] != &computation;)
    for (const hlo::Instruction& i : module.computations[c].instructions)
      for (size_t k = 0; k < i.called.size(); ++k) {
        const bool is_body = i.opcode == hlo::Opcode::kWhile && k == 0;
        counts[static_cast<size_t>(i.called[k])] +=
            counts[c] * static_cast<double>(is_body ? iterations_of(module, i) : 1);
      }
  return counts[static_cast<size_t>(&computation - module.computations.data())];
}

}  // namespace hlocc::costs
