// What elementwise instructions make of the elements of arrays, with the interpreter's meaning of
// each: every instruction is given to it once, with all elements that are asked for.
#pragma once
#include <functional>
#include <map>
#include <span>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Instructions of one shape, between arrays and an instruction that is not built yet.
struct ElementFunction {
  std::vector<InstructionId> inputs;
  std::vector<InstructionId> steps;  // operands before their users
};

struct ElementLimits {
  std::function<bool(InstructionId)> is_input;
  size_t most_inputs = 1, most_steps = 0;
  bool with_channels = false;  // constants may differ along some dimensions
  bool with_bits = false;      // bits of the elements are steps too
};

// None if there are other inputs, too many steps, or steps that are not elementwise.
std::optional<ElementFunction> element_function(const Rewriter& r, const Instruction& last,
                                                const ElementLimits& limits);

// The value of each step, by id, and of `last`, by kNone, for elements of these inputs. `channels`:
// which place of its constants each element reads.
using ElementValues = std::map<InstructionId, Literal>;
ElementValues evaluate_elements(const Rewriter& r, const ElementFunction& function,
                                const Instruction& last, std::vector<Literal> inputs,
                                std::span<const int64_t> channels = {});
// An operation on elements, and what it makes of arrays of these sizes.
bool is_element_step(const Instruction& i);
Literal evaluated(const Module& module, Instruction i, std::span<const Literal> operands,
                  const Dimensions& sizes);

}  // namespace hlocc::transforms
