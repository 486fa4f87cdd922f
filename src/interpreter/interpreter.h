// The reference interpreter: what every op means. It runs whole modules (the oracle of every test,
// and the fallback way of running a model) and single instructions (the constant folder). It takes
// verified modules; arguments are the user's and are checked.
#pragma once
#include <span>

#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::interpreter {

// What outlives one run of an executable: the 128-bit counter of rng-get-and-update-state.
struct RunState {
  uint64_t rng_low = 0x7012395, rng_high = 0;
};

// Runs the entry computation. One argument an entry parameter, tuples as tuple literals; a wrong
// count or shape is a kArgument diagnostic. The result has the root's shape. Without a state, each
// run starts a fresh one.
Result<hlo::Literal> run(const hlo::Module& module, std::span<const hlo::Literal> arguments,
                         RunState* state = nullptr);

// The value of one instruction of `module` (control flow included) for given operand values.
Result<hlo::Literal> evaluate_instruction(const hlo::Module& module,
                                          const hlo::Instruction& instruction,
                                          std::span<const hlo::Literal> operands, RunState& state);

}  // namespace hlocc::interpreter
