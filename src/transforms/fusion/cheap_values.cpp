// See cheap_values.h.
#include "transforms/fusion/cheap_values.h"

#include <algorithm>

#include "costs/fusion.h"
#include "hlo/dimensions.h"
#include "ops/op_cost.h"
#include "ops/same_element.h"

namespace hlocc::transforms {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

bool is_index_formula(const hlo::Computation& c, InstructionId id) {
  int operations = 0;
  std::vector<InstructionId> todo{id};
  while (!todo.empty()) {
    const Instruction& i = c[todo.back()];
    todo.pop_back();
    if (i.opcode == Opcode::kIota ||
        (i.opcode == Opcode::kConstant && hlo::is_one_element(i.shape)))
      continue;
    if (hlo::is_complex(i.shape.element_type) || ops::is_expensive(i)) return false;
    if (i.opcode != Opcode::kBroadcast && !ops::is_elementwise(c, i)) return false;
    if (ops::is_elementwise(c, i) && ++operations > costs::kCheapFormula) return false;
    todo.insert(todo.end(), i.operands.begin(), i.operands.end());
  }
  return true;
}

std::vector<bool> cheaply_known(const hlo::Computation& c) {
  std::vector<bool> known(c.instructions.size(), false);
  for (const InstructionId id : c.topological_order()) {
    const Instruction& i = c[id];
    const bool cheap = i.opcode == Opcode::kReshape || i.opcode == Opcode::kBroadcast ||
                       (ops::is_elementwise(c, i) && !ops::is_expensive(i));
    known[id] = i.opcode == Opcode::kConstant ||
                (cheap && !hlo::is_complex(i.shape.element_type) &&
                 std::ranges::all_of(i.operands, [&](InstructionId o) { return known[o]; }));
  }
  return known;
}

}  // namespace hlocc::transforms
